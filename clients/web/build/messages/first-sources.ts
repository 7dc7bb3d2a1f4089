import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { parseSource } from './message-calls.ts'

/** The modules that the first page loads: the list of Applications, and the sign-in. */
const firstEntries = [
  'src/app/main.tsx',
  'src/features/sign-in/sign-in-page.tsx',
  'src/features/sign-in/sign-in-dialog.tsx',
]

/** Returns the programs of the sources that the first page loads. @param root the directory of the console */
export async function readFirstSources(root: string): Promise<ReturnType<typeof parseSource>[]> {
  const programs: ReturnType<typeof parseSource>[] = []
  const files = new Set(firstEntries.map((entry) => path.join(root, entry)))
  // The set grows meanwhile.
  for (const file of files) {
    const program = parseSource(file, await readFile(file, 'utf8'))
    programs.push(program)
    for (const statement of program.body) {
      if (!('source' in statement) || !statement.source) continue
      const { value } = statement.source
      if (/^\..*\.tsx?$/.test(value)) files.add(path.join(path.dirname(file), value))
    }
  }
  return programs
}
