import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { commonSettings } from '@wadi/rpc/common-settings.ts'
import { checkDocumentLinks, checkIndex } from './document-links.ts'
import { checkDocumentNames, type KnownNames } from './document-names.ts'
import { readDocuments } from './documents.ts'
import { report } from './problem.ts'
import { serviceSettings } from './service-settings.ts'
import { sourceFiles } from './source-files.ts'

// `npm run check:docs`: documents name files, settings, commands, flags and headings that exist. Takes another root as its argument.
const root = path.resolve(process.argv[2] ?? path.dirname(import.meta.dirname))
const files = await sourceFiles(root, true)
const documents = await readDocuments(root, files)
const known = { files, variables: await variables(), commands: await commands(), flags: await flags() }
report(
  [
    ...checkDocumentLinks(documents, files),
    ...checkIndex(documents, 'docs/decisions'),
    ...checkDocumentNames(documents, known),
  ],
  `links and names of ${documents.length} documents are in order`,
)

/** The settings of the services, and the variables that the command line, the launcher, the tools and what is deployed use. */
async function variables(): Promise<Set<string>> {
  const settings = [commonSettings, ...Object.values(serviceSettings)].flatMap(Object.values)
  const users = files.filter(
    (file) =>
      /^(?:wadi$|clients\/cli\/src|deploy|tools|integration-tests|libs\/.*\.ts$)/.test(file) &&
      !/(?:\.md|check-docs\.test\.ts)$/.test(file),
  )
  const texts = await readAll(users)
  return new Set([
    ...settings.flatMap(({ env }) => [env, `${env}_FILE`]),
    ...texts.flatMap((text) => text.match(/\bWADI_[A-Z_]*[A-Z]\b/g) ?? []),
  ])
}

/** The commands of `wadi` by the table of the command line, and the words in the files of those that have others below them. */
async function commands(): Promise<KnownNames['commands']> {
  const cli = 'clients/cli/src'
  const table = await readFile(path.join(root, cli, 'command-line/command-table.ts'), 'utf8')
  const found = new Map<string, ReadonlySet<string> | undefined>()
  for (const [, name = ''] of table.matchAll(/^ {4}name: '([\w-]+)'/gm)) {
    const below = files.filter(
      (file) => file.startsWith(`${cli}/commands/${name}-`) && !file.endsWith('.test.ts'),
    )
    const texts = [`${cli}/commands/${name}.ts`, ...below].filter((file) => files.includes(file))
    const words = await readAll(texts)
    found.set(name, below.length === 0 ? undefined : new Set(words.join('\n').match(/(?<=')[a-z-]+(?=')/g)))
  }
  return found
}

async function flags(): Promise<Set<string>> {
  const sources = files.filter((file) => file.startsWith('clients/cli/src/') && !file.endsWith('.test.ts'))
  return new Set((await readAll(sources)).flatMap((text) => text.match(/--[a-z][a-z-]*/g) ?? []))
}

async function readAll(names: readonly string[]): Promise<string[]> {
  return await Promise.all(names.map(async (file) => await readFile(path.join(root, file), 'utf8')))
}
