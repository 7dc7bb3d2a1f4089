import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { rpcPages } from './rpc-pages.ts'

const root = path.dirname(import.meta.dirname)
const pages = new Map((await rpcPages(root)).map(({ name, text }) => [name, text]))

test('a page says what a method takes and returns, and what each field means', () => {
  const page = pages.get('wadi/api_gateway/v1/diagnostics_service') ?? ''
  assert.match(
    page,
    /^# DiagnosticsService\n\nPackage `wadi\.api_gateway\.v1`\.\n\nDiagnosticsService shows operators/,
  )
  assert.match(
    page,
    /\n### GetDiagnostics\n\nGetDiagnostics returns .*\n\n`\/wadi\.api_gateway\.v1\.DiagnosticsService\/GetDiagnostics` takes \[GetDiagnosticsRequest\]\(#getdiagnosticsrequest\) and returns \[GetDiagnosticsResponse\]\(#getdiagnosticsresponse\)\. It changes nothing\.\n/,
  )
  assert.match(page, /\| `remotes`<br>bool \| remotes tries .*\.\s\|\n/)
  assert.match(
    page,
    /\| `services`<br>list of \[ServiceReport\]\(\.\.\/\.\.\/diagnostics\/v1\/diagnostics\.md#servicereport\) \|/,
  )
})

test('a stream, a map, an alternative and a name of its own in JSON are named', () => {
  const application = pages.get('wadi/api_gateway/v1/application_service') ?? ''
  assert.match(application, /returns a stream of \[WatchApplicationsResponse\]/)
  assert.match(application, /\| `sync_dry_sha`, in JSON `syncDrySHA`<br>string \|/)
  const all = [...pages.values()].join('\n')
  assert.match(all, /<br>map of string \|/)
  assert.match(all, /^\| `\w+` \(one of `\w+`\)<br>/m)
})

test('every method, message and field has a meaning', () => {
  for (const [name, text] of pages) {
    assert.doesNotMatch(text, /\| {2}\|$/m, name)
    assert.doesNotMatch(text, /^### .*\n\n\n/m, name)
  }
})

test('the page of the API lists each public service', async () => {
  const page = await readFile(path.join(root, 'docs/reference/api.md'), 'utf8')
  const services = [...pages.keys()].filter((name) =>
    /^wadi\/(?:api_gateway\/.*_service|application_sets\/.*)$/.test(name),
  )
  assert.ok(services.length > 15)
  for (const name of services) assert.ok(page.includes(`(../../proto/${name}.proto)`), name)
})
