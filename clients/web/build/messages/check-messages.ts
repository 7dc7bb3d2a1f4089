import { readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { consoleRoot } from '../console-config.ts'
import { type CatalogueRows, catalogueProblems } from './catalogue-problems.ts'
import { messageCalls, parseSource } from './message-calls.ts'
import { untranslatedTexts } from './untranslated.ts'

// `npm run check:messages`: all texts of the console are in every catalogue, with the same placeholders, and none is written around the
// catalogues. `--write` gives the catalogues an empty row for each text that they lack, and takes the rows that nothing uses.
const catalogueHome = 'src/language/catalogues'
const problems: string[] = []
const used = new Set<string>()

for (const file of await readdir(path.join(consoleRoot, 'src'), { recursive: true })) {
  if (!/(?<!\.test)\.tsx?$/.test(file)) continue
  const source = await readFile(path.join(consoleRoot, 'src', file), 'utf8')
  const found = (start: number, message: string) =>
    problems.push(`clients/web/src/${file}:${source.slice(0, start).split('\n').length}: ${message}`)
  const program = parseSource(file, source)
  for (const { message, start } of messageCalls(program)) {
    if (message === undefined) found(start, 'the text of t must be a literal, which the build compiles')
    else used.add(message)
  }
  for (const { text, start } of untranslatedTexts(program)) found(start, `write t('${text}')`)
}

for (const file of await readdir(path.join(consoleRoot, catalogueHome))) {
  const place = path.join(consoleRoot, catalogueHome, file)
  const rows = JSON.parse(await readFile(place, 'utf8')) as CatalogueRows
  if (process.argv.includes('--write')) {
    const written = Object.fromEntries([...used].toSorted().map((key) => [key, rows[key] ?? '']))
    await writeFile(place, `${JSON.stringify(written, undefined, 2)}\n`)
    continue
  }
  for (const message of catalogueProblems(rows, path.basename(file, '.json'), used))
    problems.push(`clients/web/${catalogueHome}/${file}: ${message}`)
}

for (const problem of problems) console.error(problem)
if (problems.length > 0) process.exitCode = 1
else console.log(`${used.size} texts of the console are in every catalogue`)
