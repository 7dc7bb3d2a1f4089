import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { type Problem, report } from './problem.ts'
import { sourceFiles } from './source-files.ts'
import { avoidedWords, clauseOpening } from './words.ts'

// Doc comments name the thing, and no word that CONTRIBUTING avoids is used. Takes another root as its argument.
const root = path.resolve(process.argv[2] ?? path.dirname(import.meta.dirname))
const files = (await sourceFiles(root)).filter(
  (file) =>
    /\.(?:ts|tsx|mjs|go|proto|sh)$/.test(file) && !/(?:^|\/)_vendor\/|^tools\/(?:check-)?words\./.test(file),
)
const problems: Problem[] = []
for (const file of files) {
  const text = await readFile(path.join(root, file), 'utf8')
  const found = ({ index }: RegExpExecArray, message: string): void => {
    problems.push({ file, line: text.slice(0, index).split('\n').length, message })
  }
  for (const match of text.matchAll(clauseOpening)) {
    found(
      match,
      `a doc comment names the thing ('The …', 'Returns …', 'True if …') instead of '${match[1]} …'`,
    )
  }
  for (const { avoid, write, except } of avoidedWords) {
    if (except?.test(file)) continue
    for (const match of text.matchAll(avoid)) found(match, `write '${write}' instead of '${match[0]}'`)
  }
}
report(problems, `the words of ${files.length} files are in order`)
