import path from 'node:path'
import { type GoProgram, goProgramFile, goProgramMissing } from '../go-program.ts'

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

function rendererProgram(title: string, name: string): GoProgram {
  const sources = path.resolve(import.meta.dirname, '../../../../tools/renderers', name)
  return { title, script: 'build:renderers', name, sources }
}
