import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { wholeProgram } from '@wadi/cli/command-line/command-line.ts'
import { commandsPage } from './commands-page.ts'
import { metricsPage, readMetrics } from './metrics-page.ts'
import { report } from './problem.ts'
import { serviceSettings } from './service-settings.ts'
import { settingsPage } from './settings-page.ts'

// `node tools/write-reference.ts [--check] [DIRECTORY]`: writes the pages that are made from the code, or with --check compares them.
const root = path.dirname(import.meta.dirname)
const { values, positionals } = parseArgs({
  options: { check: { type: 'boolean', default: false } },
  allowPositionals: true,
})
const directory = path.resolve(positionals[0] ?? path.join(root, 'docs'))

const pages: Readonly<Record<string, string>> = {
  'settings.md': settingsPage(serviceSettings),
  'reference/commands.md': commandsPage(await wholeProgram()),
  'reference/metrics.md': metricsPage(await readMetrics(root)),
}

const problems = []
for (const [name, text] of Object.entries(pages)) {
  const file = path.join(directory, name)
  if (!values.check) {
    await writeFile(file, text)
    continue
  }
  const written = await readFile(file, 'utf8').catch(() => undefined)
  if (written === text) continue
  const line = firstDifference(text, written)
  const message = "not what the code gives; run 'node tools/write-reference.ts'"
  problems.push({ file: path.relative(root, file), line, message })
}
if (values.check) report(problems, `${Object.keys(pages).length} pages of reference are up to date`)

function firstDifference(text: string, written = ''): number {
  const lines = written.split('\n')
  return text.split('\n').findIndex((line, index) => line !== lines[index]) + 1
}
