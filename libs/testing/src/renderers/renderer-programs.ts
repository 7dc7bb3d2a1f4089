import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type TestProgram, goProgramFile, goProgramMissing } from '../go-program.ts'

/** Versions of Helm and Kustomize that Wadi does not bring, as their projects release them. */
export const rendererPrograms = {
  helm4: rendererProgram('Helm 4', 'helm-4'),
  helm3: rendererProgram('Helm 3', 'helm-3'),
  kustomize: rendererProgram('Kustomize', 'kustomize'),
}

/** Why one of them cannot be started here; undefined when all can. */
export const renderersMissing = Object.values(rendererPrograms).map(goProgramMissing).find(Boolean)

/** The files of the programs. */
export const rendererFiles = {
  helm4: goProgramFile(rendererPrograms.helm4),
  helm3: goProgramFile(rendererPrograms.helm3),
  kustomize: goProgramFile(rendererPrograms.kustomize),
}

function rendererProgram(title: string, name: string): TestProgram {
  const sources = path.resolve(import.meta.dirname, '../../../../tools/renderers', name)
  return { title, script: 'build:renderers', name, sources }
}

/** A directory of an operator with all of them, for `WADI_TOOLS_DIRECTORY`; it is removed when it is disposed. */
export function makeToolsDirectory(): Disposable & { readonly path: string } {
  const directory = mkdtempSync(path.join(tmpdir(), 'wadi-tools-'))
  for (const [name, file] of [
    ['helm/3.22.0/helm', rendererFiles.helm3],
    ['helm/4.3.1/helm', rendererFiles.helm4],
    ['kustomize/5.8.3/kustomize', rendererFiles.kustomize],
  ] as const) {
    mkdirSync(path.join(directory, path.dirname(name)), { recursive: true })
    symlinkSync(file, path.join(directory, name))
  }
  return { path: directory, [Symbol.dispose]: () => rmSync(directory, { recursive: true, force: true }) }
}
