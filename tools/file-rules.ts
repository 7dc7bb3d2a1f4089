import { readFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import path from 'node:path'
import type { Problem } from './problem.ts'

const maxFileLines = 300
const nameless = /(?:^|[/-])(?:utils?|helpers?|common|constants|misc|shared)(?:\.[a-z]+)+$/

/** Checks names and lengths of the source files: a name says the concept, a file holds one. */
export async function checkSourceFiles(root: string, files: readonly string[]): Promise<Problem[]> {
  const problems: Problem[] = []
  for (const file of files) {
    if (nameless.test(file))
      problems.push({ file, line: 1, message: 'name the file after the concept it holds' })
    const lines = (await readFile(path.join(root, file), 'utf8')).split('\n').length - 1
    if (lines > maxFileLines) {
      problems.push({ file, line: maxFileLines + 1, message: `${lines} lines, ${maxFileLines} at the most` })
    }
  }
  return problems
}

/** Finds paths that hold on this machine alone: the directory of this checkout and the home directory of its user. */
export async function checkMachinePaths(root: string, files: readonly string[]): Promise<Problem[]> {
  // A checkout right below `/` (as in an image) or the home of root would match text that means something else.
  const machinePaths = [path.resolve(root), homedir()].filter(
    (directory) => directory.split(path.sep).length > 2,
  )
  const problems: Problem[] = []
  for (const file of files) {
    if (/\.wasm\.zst$|package-lock\.json$/.test(file)) continue
    const lines = (await readFile(path.join(root, file), 'utf8')).split('\n')
    for (const [index, text] of lines.entries()) {
      const found = machinePaths.find((machinePath) => text.includes(machinePath))
      if (found) problems.push({ file, line: index + 1, message: `'${found}' is a path of this machine` })
    }
  }
  return problems
}
