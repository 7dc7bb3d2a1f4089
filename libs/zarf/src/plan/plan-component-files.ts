import { posix } from 'node:path'
import { byName } from '@wadi/order/by-name.ts'
import { InvalidInputError, ResourceExhaustedError } from '@wadi/errors/domain-error.ts'
import { collectLater, spend } from '../lint/finding.ts'
import type { Budget } from '../lint/finding.ts'
import { pathInRepository, readText } from '../definition/package-files.ts'
import type { PackageFiles } from '../definition/package-files.ts'
import type { ComponentTexts } from './component-texts.ts'
import type { Planning } from './planning.ts'
import type { Component, ZarfFile } from '../definition/zarf-package.ts'

/** A file that is written beside the manifests. */
export interface PlannedFile {
  /** `files/<target>`, in the hydrated path. */
  path: string
  text: string
}

/** The most files that one directory of a package may have. */
const maxFiles = 1000

/**
 * Plans the files of a component: templates with a target inside of the working directory are written, everything else is
 * only reported, since it would go to the machine that deploys.
 */
export async function planComponentFiles(
  planning: Planning,
  component: Component,
  texts: ComponentTexts,
): Promise<PlannedFile[]> {
  const planned: PlannedFile[] = []
  for (const file of component.files) {
    const step = (): Promise<PlannedFile[]> => planFile(planning, component, file, texts)
    planned.push(...((await collectLater(planning.findings, file.source.at, step)) ?? []))
  }
  return planned
}

function isInside(target: string): boolean {
  const normal = posix.normalize(target)
  return (
    target !== '' &&
    !posix.isAbsolute(target) &&
    !/^[~\\]|^[A-Za-z]:|\0/.test(target) &&
    normal !== '.' &&
    normal !== '..' &&
    !normal.startsWith('../')
  )
}

async function planFile(
  planning: Planning,
  component: Component,
  file: ZarfFile,
  texts: ComponentTexts,
): Promise<PlannedFile[]> {
  const { files, package: zarfPackage, findings } = planning
  const { source, target, isTemplate, at } = file
  if (!isTemplate || !isInside(target)) {
    const why = isTemplate
      ? 'its target is outside of the directory of the deployment'
      : 'it is not a template'
    const message = `file ${source.path} for ${target} is not part of what is hydrated: ${why}`
    findings.push({ severity: 'warning', message, at })
    return []
  }
  const start = pathInRepository(zarfPackage.directory, source.path)
  const found = await filesAt(files, start, { left: maxFiles })
  const planned: PlannedFile[] = []
  for (const place of found) {
    const inner = posix.relative(start, place)
    const text = await texts.render({
      text: await readText(files, place),
      name: posix.basename(inner === '' ? target : place),
      consumer: `component "${component.name}" file "${target}"`,
      failure: 'error applying Go templates to file',
      at: { file: place },
      isTemplate,
    })
    if (text !== undefined) {
      planned.push({ path: posix.normalize(posix.join('files', target, inner)), text })
    }
  }
  return planned
}

/** Returns the file at a path, or the files of the directory there, sorted. */
async function filesAt(files: PackageFiles, path: string, budget: Budget, depth = 0): Promise<string[]> {
  const entries = await files.list(path)
  if (entries === undefined) {
    if ((await files.read(path)) === undefined) {
      throw new InvalidInputError(`there is no file ${path}`)
    }
    return [path]
  }
  if (depth > maxDepth) {
    throw new ResourceExhaustedError(`${path} is more than ${maxDepth} directories deep`)
  }
  const found: string[] = []
  for (const { name, isDirectory } of entries.toSorted(byName)) {
    const place = `${path}/${name}`
    spend(budget, `${path} has more than ${maxFiles} files`)
    found.push(...(isDirectory ? await filesAt(files, place, budget, depth + 1) : [place]))
  }
  return found
}

const maxDepth = 32
