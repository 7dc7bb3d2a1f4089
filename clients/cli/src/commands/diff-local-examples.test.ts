import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { isJsonObject } from '@wadi/fields/json-object.ts'
import { simpleGit } from 'simple-git'
import { parseAllDocuments } from 'yaml'
import { startWorkingCopy } from '../testing/working-copy-fixture.ts'

/**
 * The examples of argocd-diff-preview: for each of its integration tests a directory with the `examples` of its branches as `base` and
 * `target`, and the `output.md` that it expects.
 */
const corpus = join(import.meta.dirname, '../../../../../shared/corpus/argocd-diff-preview')
const skip = existsSync(corpus) ? false : 'the examples of argocd-diff-preview are not beside this checkout'

const repoURL = 'https://github.com/dag-andersen/argocd-diff-preview'

/** Charts of elsewhere are not reached, and of several Applications of one name there is one. */
const left = new Set(['nginx-ingress', 'app1', 'app2', 'app1 -> app2'])

type Fields = Record<string, unknown>

/** The examples of one side; their Applications are synced directly, and have their sources hydrated here. */
function examplesOf(side: string): Record<string, string> {
  const entries = readdirSync(side, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  )
  return Object.fromEntries(
    entries.map((entry) => {
      const path = join(entry.parentPath, entry.name)
      const text = readFileSync(path, 'utf8')
      return [path.slice(side.length + 1), /\.ya?ml$/.test(path) ? hydrated(text) : text]
    }),
  )
}

function hydrated(text: string): string {
  if (!/^kind: Application(?:Set)?$/m.test(text)) return text
  const objects = parseAllDocuments(text).map((document): unknown => document.toJS())
  return objects
    .map((object) => (isJsonObject(object) ? `${JSON.stringify(withHydration(object))}\n` : ''))
    .join('---\n')
}

function withHydration(object: Fields): Fields {
  const { kind, metadata, spec } = object as { kind: string; metadata: { name: string }; spec: Fields }
  if (kind === 'Application') return { ...object, spec: hydratedSpec(spec, metadata.name) }
  const template = spec['template'] as { metadata: { name: string }; spec: Fields }
  const path = `${metadata.name}-${template.metadata.name}`
  // Without names that may be none, as in Argo CD.
  const generators: unknown = JSON.parse(JSON.stringify(spec['generators']).replaceAll('/**"', '/*"'))
  return {
    ...object,
    spec: { ...spec, generators, template: { ...template, spec: hydratedSpec(template.spec, path) } },
  }
}

function hydratedSpec({ source, sources, ...spec }: Fields, path: string): Fields {
  const ofHead = (one: unknown): unknown => {
    const { targetRevision, ...rest } = one as Fields
    return { ...rest, targetRevision: rest['chart'] === undefined ? 'HEAD' : targetRevision }
  }
  const dry =
    source === undefined ? { drySources: (sources as unknown[]).map(ofHead) } : { drySource: ofHead(source) }
  const syncSource = { repoURL, targetBranch: 'environments/prod', path }
  return { ...spec, sourceHydrator: { ...dry, syncSource } }
}

/** Lines that are added and removed, by Application, as the summary of argocd-diff-preview has them. */
function expectedLines(output: string): Map<string, string> {
  const [, summary = ''] = output.split('```')
  const lines = [...summary.matchAll(/^[-+±] (.*?)(?: \((?:\+(\d+))?\|?(?:-(\d+))?\))?$/gm)]
  return new Map(lines.map(([, name = '', added = '0', removed = '0']) => [name, `+${added} -${removed}`]))
}

/** The same of a report of Wadi. */
function reportedLines(report: string): Map<string, string> {
  const counts = new Map<string, { added: number; removed: number }>()
  let name = ''
  for (const line of report.split('\n')) {
    name = /^===== \S+ [^/\s]+\/([^:\s]+): /.exec(line)?.[1] ?? name
    if (name === '' || !/^[-+](?![-+]{2} )/.test(line)) continue
    const count = counts.getOrInsertComputed(name, () => ({ added: 0, removed: 0 }))
    count[line.startsWith('+') ? 'added' : 'removed']++
  }
  return new Map([...counts].map(([key, { added, removed }]) => [key, `+${added} -${removed}`]))
}

function compared(lines: ReadonlyMap<string, string>): string[] {
  return [...lines]
    .filter(([name]) => !left.has(name))
    .map((line) => line.join(' '))
    .toSorted()
}

for (const branch of ['branch-1', 'branch-3', 'branch-4', 'branch-8']) {
  test(`the examples of argocd-diff-preview change as it says, ${branch}`, { skip }, async () => {
    const sides = join(corpus, branch)
    await using copy = await startWorkingCopy(examplesOf(join(sides, 'base')))
    await simpleGit(copy.root).addRemote('origin', repoURL)
    await rm(join(copy.root, 'examples'), { recursive: true })
    for (const [path, text] of Object.entries(examplesOf(join(sides, 'target')))) await copy.write(path, text)
    const { stdout, stderr, code } = await copy.wadi(['diff', '--local', '--files'])
    assert.deepEqual([stderr, code], ['', 1])
    const expected = compared(expectedLines(readFileSync(join(sides, 'output.md'), 'utf8')))
    assert.notDeepEqual(expected, [])
    assert.deepEqual(compared(reportedLines(stdout)), expected)
  })
}
