import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { isJsonObject } from '@wadi/fields/json-object.ts'

// `node tools/cut-forge-api.ts github|gitea FILE SOURCE`: cuts the operations that Wadi uses out of a forge's published OpenAPI
// description, which tests check every request by. SOURCE names the description and its version.
// GitHub: generated/api.github.com.json of the package @octokit/openapi.
// Gitea: templates/swagger/v1_openapi3_json.tmpl of its Go module.

const operations: Readonly<Record<string, readonly string[]>> = {
  github: [
    'get /repos/{owner}/{repo}',
    'get,post /repos/{owner}/{repo}/pulls',
    'get,patch /repos/{owner}/{repo}/pulls/{pull_number}',
    'put /repos/{owner}/{repo}/pulls/{pull_number}/merge',
    'get /repos/{owner}/{repo}/pulls/{pull_number}/reviews',
    'post /repos/{owner}/{repo}/pulls/{pull_number}/requested_reviewers',
    'get,post /repos/{owner}/{repo}/issues/{issue_number}/comments',
    'patch /repos/{owner}/{repo}/issues/comments/{comment_id}',
    'post /repos/{owner}/{repo}/issues/{issue_number}/labels',
    'get /repos/{owner}/{repo}/commits/{ref}/status',
    'post /repos/{owner}/{repo}/statuses/{sha}',
    'get /repos/{owner}/{repo}/commits/{ref}/check-runs',
    'post /repos/{owner}/{repo}/check-runs',
    'patch /repos/{owner}/{repo}/check-runs/{check_run_id}',
  ],
  gitea: [
    'get /repos/{owner}/{repo}',
    'get,post /repos/{owner}/{repo}/labels',
    'get,post /repos/{owner}/{repo}/pulls',
    'get,patch /repos/{owner}/{repo}/pulls/{index}',
    'post /repos/{owner}/{repo}/pulls/{index}/merge',
    'get /repos/{owner}/{repo}/pulls/{index}/reviews',
    'post /repos/{owner}/{repo}/pulls/{index}/requested_reviewers',
    'get,post /repos/{owner}/{repo}/issues/{index}/comments',
    'patch /repos/{owner}/{repo}/issues/comments/{id}',
    'post /repos/{owner}/{repo}/issues/{index}/labels',
    'get /repos/{owner}/{repo}/commits/{ref}/status',
    'post /repos/{owner}/{repo}/statuses/{sha}',
  ],
}

const kept = ['type', 'enum', 'required', 'nullable', 'minItems', 'maxItems', 'minLength', 'maxLength']

const [forge = '', file = '', source = ''] = process.argv.slice(2)
const wanted = operations[forge]
if (!wanted || source === '') throw new Error('usage: node tools/cut-forge-api.ts github|gitea FILE SOURCE')
const description: unknown = JSON.parse(await readFile(file, 'utf8'))
const result = { source, operations: wanted.flatMap(cutOperations) }
const target = path.join(import.meta.dirname, `../libs/forges/src/testdata/${forge}-api.json`)
await writeFile(target, `${JSON.stringify(result, null, 1)}\n`)

function cutOperations(line: string): Record<string, unknown>[] {
  const [methods = '', template = ''] = line.split(' ')
  const place = objectAt(description, ['paths', template])
  return methods.split(',').map((method) => {
    const operation = objectAt(place, [method])
    const parameters = [...listOf(place['parameters']), ...listOf(operation['parameters'])].map(cutParameter)
    const request = resolved(operation['requestBody'])
    const content = isJsonObject(request) ? objectAt(request, ['content', 'application/json']) : undefined
    return {
      method: method.toUpperCase(),
      path: template,
      parameters,
      ...(content && { body: cutSchema(content['schema'], 0) }),
    }
  })
}

function cutParameter(parameter: unknown): Record<string, unknown> {
  const found = resolved(parameter)
  if (!isJsonObject(found)) throw new Error('a parameter is not an object')
  const { name, in: place, required = false, schema } = found
  return { name, in: place, required, schema: cutSchema(schema, 0) }
}

/** What a value is checked by: no texts, no examples, no references. */
function cutSchema(schema: unknown, depth: number): Record<string, unknown> {
  const found = resolved(schema)
  if (!isJsonObject(found) || depth > 8) return {}
  const cut: Record<string, unknown> = {}
  for (const key of kept) if (found[key] !== undefined) cut[key] = found[key]
  for (const key of ['oneOf', 'anyOf', 'allOf']) {
    if (Array.isArray(found[key])) cut[key] = listOf(found[key]).map((one) => cutSchema(one, depth + 1))
  }
  if (found['items'] !== undefined) cut['items'] = cutSchema(found['items'], depth + 1)
  if (isJsonObject(found['properties'])) {
    const properties = Object.entries(found['properties'])
    cut['properties'] = Object.fromEntries(
      properties.map(([name, property]) => [name, cutSchema(property, depth + 1)]),
    )
  }
  return cut
}

function resolved(value: unknown): unknown {
  if (!isJsonObject(value) || typeof value['$ref'] !== 'string') return value
  return resolved(objectAt(description, value['$ref'].replace('#/', '').split('/')))
}

function objectAt(value: unknown, keys: readonly string[]): Record<string, unknown> {
  let at = value
  for (const key of keys) at = isJsonObject(at) ? at[key] : undefined
  if (isJsonObject(at)) return at
  throw new Error(`${file} has no ${keys.join(' ')}`)
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}
