import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { isJsonObject } from '@wadi/fields/json-object.ts'

// `node tools/cut-forge-api.ts github|gitea|gitlab|bitbucket|bitbucket-server|azure-devops FILE[,FILE] SOURCE`: cuts the operations that Wadi uses out of a forge's published
// OpenAPI description as JSON, which tests check every request by. SOURCE names the description and its version.
// GitHub: generated/api.github.com.json of the package @octokit/openapi.
// Gitea: templates/swagger/v1_openapi3_json.tmpl of its Go module.
// GitLab: doc/api/openapi/openapi_v2.yaml of its sources. It leaves out the notes of merge requests, whose operations are written here.
// Bitbucket: its swagger.v3.json. It says for all lists together that they take page and pagelen, which the cut says for each.
// Bitbucket Data Center: its swagger.v3.json, whose paths are below /rest.
// Azure DevOps: git.json, core.json and policy.json of MicrosoftDocs/vsts-rest-api-specs, all of one version, which are cut below the organization.

const operations: Readonly<Record<string, readonly string[]>> = {
  github: [
    'get /repos/{owner}/{repo}',
    'get /repos/{owner}/{repo}/branches/{branch}',
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
    'get /repos/{owner}/{repo}/branches/{branch}',
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
  gitlab: [
    'get /api/v4/projects/{id}',
    'get /api/v4/projects/{id}/repository/branches/{branch}',
    'get,post /api/v4/projects/{id}/merge_requests',
    'get,put /api/v4/projects/{id}/merge_requests/{merge_request_iid}',
    'put /api/v4/projects/{id}/merge_requests/{merge_request_iid}/merge',
    'get /api/v4/projects/{id}/repository/commits/{sha}/statuses',
    'post /api/v4/projects/{id}/statuses/{sha}',
    'get /api/v4/users',
  ],
  bitbucket: [
    'get /repositories/{workspace}/{repo_slug}',
    'get /repositories/{workspace}/{repo_slug}/commit/{commit}',
    'post /repositories/{workspace}/{repo_slug}/commit/{commit}/statuses/build',
    'get /repositories/{workspace}/{repo_slug}/commit/{commit}/statuses/build/{key}',
    'get,put,delete /repositories/{workspace}/{repo_slug}/commit/{commit}/reports/{reportId}',
    'post /repositories/{workspace}/{repo_slug}/commit/{commit}/reports/{reportId}/annotations',
    'get,post /repositories/{workspace}/{repo_slug}/pullrequests',
    'get,put /repositories/{workspace}/{repo_slug}/pullrequests/{pull_request_id}',
    'post /repositories/{workspace}/{repo_slug}/pullrequests/{pull_request_id}/decline',
    'post /repositories/{workspace}/{repo_slug}/pullrequests/{pull_request_id}/merge',
    'get,post /repositories/{workspace}/{repo_slug}/pullrequests/{pull_request_id}/comments',
    'put /repositories/{workspace}/{repo_slug}/pullrequests/{pull_request_id}/comments/{comment_id}',
    'get /repositories/{workspace}/{repo_slug}/pullrequests/{pull_request_id}/statuses',
    'get /repositories/{workspace}/{repo_slug}/pullrequests/{pull_request_id}/commits',
    'get /workspaces/{workspace}/members',
    'get /user',
  ],
  'bitbucket-server': [
    'get /api/latest/projects/{projectKey}/repos/{repositorySlug}',
    'get,post /api/latest/projects/{projectKey}/repos/{repositorySlug}/commits/{commitId}/builds',
    'get,post /api/latest/projects/{projectKey}/repos/{repositorySlug}/pull-requests',
    'get,put /api/latest/projects/{projectKey}/repos/{repositorySlug}/pull-requests/{pullRequestId}',
    'get /api/latest/projects/{projectKey}/repos/{repositorySlug}/pull-requests/{pullRequestId}/activities',
    'get /api/latest/projects/{projectKey}/repos/{repositorySlug}/pull-requests/{pullRequestId}/changes',
    'post /api/latest/projects/{projectKey}/repos/{repositorySlug}/pull-requests/{pullRequestId}/comments',
    'get,put /api/latest/projects/{projectKey}/repos/{repositorySlug}/pull-requests/{pullRequestId}/comments/{commentId}',
    'post /api/latest/projects/{projectKey}/repos/{repositorySlug}/pull-requests/{pullRequestId}/decline',
    'get,post /api/latest/projects/{projectKey}/repos/{repositorySlug}/pull-requests/{pullRequestId}/merge',
    'post /api/latest/projects/{projectKey}/repos/{repositorySlug}/pull-requests/{pullRequestId}/participants',
    'post /api/latest/projects/{projectKey}/repos/{repositorySlug}/pull-requests/{pullRequestId}/reopen',
    'get /build-status/latest/commits/stats/{commitId}',
    'delete,get,put /insights/latest/projects/{projectKey}/repos/{repositorySlug}/commits/{commitId}/reports/{key}',
    'post /insights/latest/projects/{projectKey}/repos/{repositorySlug}/commits/{commitId}/reports/{key}/annotations',
  ],
  'azure-devops': [
    'get /{organization}/{project}/_apis/git/repositories',
    'get /{organization}/{project}/_apis/git/repositories/{repositoryId}',
    'get /{organization}/{project}/_apis/git/repositories/{repositoryId}/refs',
    'get /{organization}/{project}/_apis/git/repositories/{repositoryId}/items',
    'get,post /{organization}/{project}/_apis/git/repositories/{repositoryId}/commits/{commitId}/statuses',
    'get,post /{organization}/{project}/_apis/git/repositories/{repositoryId}/pullrequests',
    'get,patch /{organization}/{project}/_apis/git/repositories/{repositoryId}/pullrequests/{pullRequestId}',
    'get /{organization}/{project}/_apis/git/repositories/{repositoryId}/pullRequests/{pullRequestId}/iterations',
    'post /{organization}/{project}/_apis/git/repositories/{repositoryId}/pullRequests/{pullRequestId}/statuses',
    'post /{organization}/{project}/_apis/git/repositories/{repositoryId}/pullRequests/{pullRequestId}/labels',
    'put /{organization}/{project}/_apis/git/repositories/{repositoryId}/pullRequests/{pullRequestId}/reviewers/{reviewerId}',
    'get,post /{organization}/{project}/_apis/git/repositories/{repositoryId}/pullRequests/{pullRequestId}/threads',
    'patch /{organization}/{project}/_apis/git/repositories/{repositoryId}/pullRequests/{pullRequestId}/threads/{threadId}/comments/{commentId}',
    'get /{organization}/_apis/projects/{projectId}/teams',
    'get /{organization}/_apis/projects/{projectId}/teams/{teamId}/members',
    'get /{organization}/{project}/_apis/policy/evaluations',
  ],
}

/** The maximum depth of schemas; those of Bitbucket contain each other. */
const maxDepth = 8
const maxDepthOfJoined = 4

const integer = { type: 'integer' }
const pageParameter = { name: 'page', in: 'query', required: false, schema: integer }
const pageSizeOfBitbucket = { ...pageParameter, name: 'pagelen' }
const note = { type: 'object', required: ['body'], properties: { body: { type: 'string' } } }
const notesPath = '/projects/{id}/merge_requests/{merge_request_iid}/notes'

/** After doc/api/notes.md of GitLab. */
const gitlabNotes = [
  {
    method: 'GET',
    path: notesPath,
    parameters: [
      pageParameter,
      { ...pageParameter, name: 'per_page' },
      { ...pageParameter, name: 'sort', schema: { type: 'string', enum: ['asc', 'desc'] } },
      { ...pageParameter, name: 'order_by', schema: { type: 'string', enum: ['created_at', 'updated_at'] } },
    ],
  },
  { method: 'POST', path: notesPath, parameters: [], body: note },
  { method: 'PUT', path: `${notesPath}/{note_id}`, parameters: [], body: note },
]

const kept = ['type', 'enum', 'required', 'nullable', 'minItems', 'maxItems', 'minLength', 'maxLength']

const [forge = '', file = '', source = ''] = process.argv.slice(2)
const wanted = operations[forge]
if (!wanted || source === '')
  throw new Error(
    'usage: node tools/cut-forge-api.ts github|gitea|gitlab|bitbucket|bitbucket-server|azure-devops FILE[,FILE] SOURCE',
  )
const description = await readDescription()
/** Schemas that inherit from one another are written as one. */
const isJoined = forge.startsWith('bitbucket') || forge === 'azure-devops'
const depthOfForge = isJoined ? maxDepthOfJoined : maxDepth
const others = forge === 'gitlab' ? gitlabNotes : []
const result = { source, operations: [...wanted.flatMap(cutOperations), ...others] }
const target = path.join(import.meta.dirname, `../libs/forges/src/testdata/${forge}-api.json`)
await writeFile(target, `${JSON.stringify(result, null, 1)}\n`)

/** Several files are parts of one description. */
async function readDescription(): Promise<unknown> {
  const whole: Record<string, Record<string, unknown>> = {}
  for (const part of file.split(',')) {
    const parsed: unknown = JSON.parse((await readFile(part, 'utf8')).replace(/^\uFEFF/, ''))
    for (const [key, value] of Object.entries(isJsonObject(parsed) ? parsed : {})) {
      if (isJsonObject(value)) whole[key] = { ...whole[key], ...value }
    }
  }
  return whole
}

function cutOperations(line: string): Record<string, unknown>[] {
  const [methods = '', template = ''] = line.split(' ')
  const place = objectAt(description, ['paths', template])
  return methods.split(',').map((method) => {
    const operation = objectAt(place, [method])
    const all = [...listOf(place['parameters']), ...listOf(operation['parameters'])].map(resolved)
    const isBody = (parameter: unknown) => isJsonObject(parameter) && parameter['in'] === 'body'
    const parameters = all.filter((parameter) => !isBody(parameter)).map(cutParameter)
    const request = resolved(operation['requestBody'])
    const content = isJsonObject(request)
      ? Object.values(objectAt(request, ['content'])).find(isJsonObject)
      : all.filter(isJsonObject).find(isBody)
    return {
      method: method.toUpperCase(),
      path: template.replace('/api/v4/', '/').replace('/{organization}/', '/'),
      parameters: isPagedByBitbucket(operation)
        ? [...parameters, pageParameter, pageSizeOfBitbucket]
        : parameters,
      ...(content && { body: cutSchema(content['schema'], 0) }),
    }
  })
}

function isPagedByBitbucket({ responses }: Record<string, unknown>): boolean {
  return forge === 'bitbucket' && JSON.stringify(responses).includes('/paginated_')
}

function cutParameter(parameter: unknown): Record<string, unknown> {
  const found = resolved(parameter)
  if (!isJsonObject(found)) throw new Error('a parameter is not an object')
  // In Swagger 2 a parameter is its own schema, with its own `required`.
  const { name, in: place, required = false, schema, ...own } = found
  // Azure DevOps says the version of an operation in words.
  const [, version] = /This should be set to '([^']+)'/.exec(String(own['description'])) ?? []
  if (version !== undefined) return { name, in: place, required, schema: { type: 'string', enum: [version] } }
  return { name, in: place, required, schema: cutSchema(schema ?? own, 0) }
}

/** Returns the parts of a schema that check values: no texts, no examples, no references. */
function cutSchema(schema: unknown, depth: number): Record<string, unknown> {
  const found = resolved(schema)
  if (!isJsonObject(found) || depth > depthOfForge) return {}
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
  return isJoined ? joined(cut) : cut
}

/** One schema for all parts of `allOf`: each part knows its own properties alone. */
function joined({ allOf, ...cut }: Record<string, unknown>): Record<string, unknown> {
  const parts = [cut, ...listOf(allOf).filter(isJsonObject)]
  const required = new Set(parts.flatMap((part) => listOf(part['required'])))
  const properties = Object.assign({}, ...parts.map((part) => part['properties'])) as object
  const whole: Record<string, unknown> = Object.assign({}, ...parts)
  if (required.size > 0) whole['required'] = [...required]
  if (Object.keys(properties).length > 0) whole['properties'] = properties
  return whole
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
