import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { startWorkingCopy } from '../testing/working-copy-fixture.ts'

const hasNamespaces = await promisify(execFile)('unshare', [
  '--user',
  '--map-root-user',
  '--net',
  'true',
]).then(
  () => true,
  () => false,
)
const skip = hasNamespaces ? false : 'this machine gives no network namespaces'

/** A package whose chart takes a value that an action sets. */
function packageFiles(cmd: string, extension = 'x-wadi: {actions: sandbox}\n') {
  return {
    'wadi.yaml': 'actions: allow\n',
    'seed/name.txt': 'of the seed\n',
    'packages/web/zarf.yaml': `kind: ZarfPackageConfig
metadata: {name: web, version: 1.0.0}
${extension}values: {files: [values.yaml]}
components:
  - name: web
    required: true
    actions:
      onDeploy:
        before:
          - cmd: ${JSON.stringify(cmd)}
            description: make
            setValues: [{key: .database, type: json}]
    charts:
      - name: web
        version: 1.0.0
        namespace: web
        localPath: ../../charts/web
        values: [{sourcePath: .database, targetPath: .database}]
`,
    'packages/web/values.yaml': 'app: {}\n',
    'charts/web/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
    'charts/web/templates/all.yaml':
      'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web}\ndata: {host: "{{ .Values.database.host }}", port: "{{ .Values.database.port }}"}\n',
  }
}

const constant = `echo "{\\"host\\": \\"$(cat ../../seed/name.txt)\\", \\"port\\": 5432}"`

test('what an action writes is mapped into the chart of its package', { skip }, async () => {
  await using copy = await startWorkingCopy(packageFiles(constant))
  const { stdout, stderr, code } = await copy.wadi(['render', 'packages/web', '--run-actions'])
  assert.equal(code, 0, stderr)
  assert.match(stdout, /^ {2}host: of the seed\n {2}port: "5432"$/m)
})

test('a value of an action that makes it up is refused with what to do', { skip }, async () => {
  await using copy = await startWorkingCopy(
    packageFiles('echo "{\\"host\\": \\"$(head -c 8 /dev/urandom | od -An -tx1 | tr -d " ")\\"}"'),
  )
  const { stdout, stderr, code } = await copy.wadi(['render', 'packages/web', '--run-actions'])
  assert.notEqual(code, 0)
  assert.equal(stdout, '')
  assert.match(stderr, /component "web" action "make": the script does not write the same twice/)
  assert.match(stderr, /mutating webhook in the cluster, or commit the value to git/)
})

test('an action that wants the cluster is reported with what it said', { skip }, async () => {
  await using copy = await startWorkingCopy(packageFiles('echo "no cluster here" >&2; exit 4'))
  const { stderr, code } = await copy.wadi(['render', 'packages/web', '--run-actions'])
  assert.notEqual(code, 0)
  assert.match(stderr, /action "make": the script failed exit status 4: no cluster here/)
})

test('each opt-in that is missing is named by the error of the value that is needed', async () => {
  await using copy = await startWorkingCopy(packageFiles(constant))
  const rejection = async (...flags: string[]) => {
    const { stderr, code } = await copy.wadi(['render', 'packages/web', ...flags])
    assert.notEqual(code, 0)
    return stderr
  }
  const needed =
    /component "web" action "make" sets value \.database at deploy time, and actions are not run; needed by/
  const noFlag = await rejection()
  assert.match(noFlag, needed)
  assert.match(
    noFlag,
    /set \.database in packages\/web\/values\.yaml, or have a command server, which is missing.*--run-actions/,
  )
  assert.doesNotMatch(noFlag, /wadi\.yaml/)
  await copy.write('wadi.yaml', 'actions: deny\n')
  const denied = await rejection('--run-actions')
  assert.match(denied, needed)
  assert.match(denied, /or have "actions: allow" in wadi\.yaml, which is missing$/m)
  assert.match(
    await rejection(),
    /"actions: allow" in wadi\.yaml, which is missing, and have a command server/,
  )
  await copy.write('packages/web/zarf.yaml', packageFiles(constant, '')['packages/web/zarf.yaml'])
  assert.match(await rejection('--run-actions'), /, or allow x-wadi\.actions: sandbox$/m)
})

test('a value in git takes the place of an action that may not run', async () => {
  await using copy = await startWorkingCopy(packageFiles(constant))
  await copy.write('packages/web/values.yaml', 'database: {host: git, port: 1}\n')
  const { stdout, stderr, code } = await copy.wadi(['render', 'packages/web'])
  assert.equal(code, 0, stderr)
  assert.match(stdout, /^ {2}host: git$/m)
  assert.match(
    stderr,
    /action \\?"make\\?" is not run: value \.database is taken from git instead; to run it, have a command server, which is missing/,
  )
  await copy.write('wadi.yaml', 'actions: deny\n')
  const denied = await copy.wadi(['render', 'packages/web', '--run-actions'])
  assert.match(
    denied.stderr,
    /instead; to run it, have \\?"actions: allow\\?" in wadi\.yaml, which is missing/,
  )
  await copy.write('packages/web/zarf.yaml', packageFiles(constant, '')['packages/web/zarf.yaml'])
  const unasked = await copy.wadi(['render', 'packages/web'])
  assert.match(unasked.stderr, /taken from git instead/)
  assert.doesNotMatch(unasked.stderr, /to run it/)
})
