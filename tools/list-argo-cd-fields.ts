/**
 * Writes the names of the fields of Argo CD's objects again, from the sources of a release:
 *
 *   go mod download -json github.com/argoproj/argo-cd/v3@v3.6.1   # says where its zip is; unpack it
 *   node tools/list-argo-cd-fields.ts DIRECTORY
 *
 * A new field has `?` then, and `tools/argo-cd-fields.test.ts` fails until somebody says it.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fieldsFile, readFields } from './argo-cd-fields.ts'

const roots = ['Application', 'AppProject', 'ApplicationSet']
const [directory] = process.argv.slice(2)
if (directory === undefined) throw new Error('give the directory of the unpacked sources')
const read = (path: string): string => readFileSync(join(directory, path), 'utf8')

/** The fields of each message of a file in the form of protocol buffers, with the types of each. */
function messagesOf(text: string): Map<string, [field: string, types: string[]][]> {
  return new Map(
    Array.from(text.matchAll(/^message (\w+) \{\n([\s\S]*?)^\}/gm), ([, name = '', body = '']) => [
      name,
      Array.from(
        body.matchAll(/^ {2}(?:optional |repeated )?(map<.*?>|[\w.]+) (\w+) = \d+/gm),
        ([, type = '', field = '']): [string, string[]] => [field, type.match(/[\w.]+/g) ?? []],
      ),
    ]),
  )
}

function reachable(): string[] {
  const messages = messagesOf(read('pkg/apis/application/v1alpha1/generated.proto'))
  const seen = new Set(roots)
  for (const name of seen) {
    for (const [, types] of messages.get(name) ?? []) {
      for (const type of types) if (messages.has(type) && !/Status$|Operation/.test(type)) seen.add(type)
    }
  }
  return [...seen].flatMap((name) => (messages.get(name) ?? []).map(([field]) => `${name} ${field}`))
}

function matches(text: string, pattern: RegExp, kind: string): string[] {
  return Array.from(text.matchAll(pattern), ([, field = '']) => `${kind} ${field}`)
}

function functionBody(text: string, name: string): string {
  return new RegExp(`^func .*\\b${name}\\([\\s\\S]*?^\\}`, 'm').exec(text)?.[0] ?? ''
}

const repositories = read('util/db/repository_secrets.go')
const secretField = /(?:\.Data\["|\(secret(?:Copy)?, ")(\w+)"/g
const names = [
  ...reachable(),
  ...matches(functionBody(repositories, 'secretToRepository'), secretField, 'Secret-repository'),
  ...matches(functionBody(repositories, 'secretToRepoCred'), secretField, 'Secret-repo-creds'),
  ...matches(
    functionBody(read('util/db/cluster.go'), 'SecretToCluster'),
    /\.Data\["(\w+)"/g,
    'Secret-cluster',
  ),
  ...matches(
    read('util/settings/settings.go'),
    /^\t\w*(?:[kK]ey|Prefix|ID|URL|Text|Jitter\w*|MB|Config|Links|RBAC\w*|Render|Inheritance|Users) += "([a-zA-Z]+(?:\.[a-zA-Z.]+)?)"/gm,
    'argocd-cm',
  ),
  ...matches(read('util/rbac/rbac.go'), /^\tConfigMap\w+Key += "([\w.]+)"/gm, 'argocd-rbac-cm'),
]
const said = readFields()
/** Values of keys whose constants are named like keys. */
const values = ['argocd-cm normal', 'argocd-cm strict']
const lines = [...new Set(names)]
  .filter((name) => !values.includes(name))
  .toSorted()
  .map((name) => `${name} ${said.get(name) ?? '?'}`)
writeFileSync(
  fieldsFile,
  `# Argo CD ${read('VERSION').trim()}: kind, field and what Wadi does with it; written by tools/list-argo-cd-fields.ts\n${lines.join('\n')}\n`,
)
