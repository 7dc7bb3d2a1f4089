import assert from 'node:assert/strict'
import { copyFile, mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { cacheHome } from '@wadi/testing/tool-cache.ts'
import { runWadi, temporaryDirectory } from '../testing/run-wadi-fixture.ts'

const script = String.raw`
if [ -z "$PARAM_SIZE" ]; then echo "give a size" >&2; exit 4; fi
printf 'kind: ConfigMap\napiVersion: v1\nmetadata: {name: greeting}\ndata: {size: "%s"}\n' "$PARAM_SIZE"
`

/** A plugin and two directories, of which one is its own. */
async function startTrial() {
  await using owned = new AsyncDisposableStack()
  const { path: directory } = owned.use(await temporaryDirectory())
  await mkdir(join(directory, 'ours'))
  await mkdir(join(directory, 'others'))
  await writeFile(join(directory, 'ours', 'greeting.txt'), '')
  const spec = {
    generate: { command: ['sh', '-c', script] },
    discover: { fileName: 'greeting.txt' },
    parameters: { static: [{ name: 'size', itemType: 'number', required: true }] },
  }
  const plugin = { kind: 'ConfigManagementPlugin', metadata: { name: 'greeting' }, spec }
  await writeFile(join(directory, 'plugin.yaml'), JSON.stringify(plugin))
  const kept = owned.move()
  const environment = { XDG_CACHE_HOME: cacheHome }
  const run = (...args: string[]) =>
    runWadi(['plugin', 'test', '--plugin', 'plugin.yaml', ...args], { directory, environment })
  return { directory, run, environment, [Symbol.asyncDispose]: () => kept.disposeAsync() }
}

test('a trial shows what the plugin announces and what it generates', async () => {
  await using trial = await startTrial()
  const { stdout, stderr, code } = await trial.run('-p', 'size=1.10', 'ours')
  assert.deepEqual([code, stderr], [0, ''])
  assert.equal(
    stdout,
    `Plugin greeting matches (fileName greeting.txt).

NAME  TYPE    DEFAULT  VALUE  FROM
size  number           1.10   .argocd-source.yaml:3

---
apiVersion: v1
data:
  size: "1.10"
kind: ConfigMap
metadata:
  name: greeting
`,
  )
})

test('a trial as JSON has the match, the parameters, the manifests and the warnings', async () => {
  await using trial = await startTrial()
  const { stdout, code } = await trial.run('-p', 'size=big', '-o', 'json', 'ours')
  assert.equal(code, 0)
  const { matched, parameters, manifests, warnings } = JSON.parse(stdout) as Record<string, unknown[]>
  assert.equal(matched, true)
  assert.partialDeepStrictEqual(parameters, [{ name: 'size', type: 'number', value: { text: 'big' } }])
  assert.partialDeepStrictEqual(manifests, [{ kind: 'ConfigMap', data: { size: 'big' } }])
  assert.match(String(warnings), /plugin greeting: .*size.*"big" is not a number/)
})

test("a directory that the plugin does not match ends with 1 and the reason, a failure with 20 and the plugin's error", async () => {
  await using trial = await startTrial()
  const other = await trial.run('others')
  assert.equal(other.code, 1)
  assert.match(other.stdout, /^greeting: nothing in the directory matches its discovery rule/)
  const failed = await trial.run('ours')
  assert.equal(failed.code, 20)
  assert.match(failed.stdout, /size +number/)
  assert.match(failed.stderr, /plugin greeting: .*failed exit status 4: give a size/)
})

test('before a plugin runs, its trial reports invalid values and names that nobody announces', async () => {
  await using trial = await startTrial()
  const { stdout, stderr, code } = await trial.run('-p', 'size=big', '-p', 'sise=2', 'ours')
  assert.equal(code, 0)
  assert.match(stdout, /\n\nProblems:\n- size: "big" is not a number\n\nNot announced:\n- sise\n\n---\n/)
  assert.equal(stderr, '')
})

test('unknown keys of the file are reported, also when the plugin fails', async () => {
  await using trial = await startTrial()
  const { directory, environment } = trial
  await writeFile(
    join(directory, 'odd.yaml'),
    'kind: ConfigManagementPlugin\nmetadata: {name: odd}\nspec:\n  generate: {command: ["false"]}\n  discovery: {}\n',
  )
  const { stderr, code } = await runWadi(['plugin', 'test', '--plugin', 'odd.yaml', 'ours'], {
    directory,
    environment,
  })
  assert.equal(code, 20)
  assert.match(stderr, /odd\.yaml:5: unknown field spec\.discovery; did you mean discover\?/)
})

test('a trial leaves nothing in the working directory', async () => {
  await using trial = await startTrial()
  assert.equal((await trial.run('-p', 'size=1', 'ours')).code, 0)
  assert.deepEqual((await readdir(trial.directory)).toSorted(), ['others', 'ours', 'plugin.yaml'])
  assert.deepEqual(await readdir(join(trial.directory, 'ours')), ['greeting.txt'])
})

test('directories that do not exist and two plugins of one name are refused', async () => {
  await using trial = await startTrial()
  const { directory, environment } = trial
  assert.match((await trial.run('nowhere')).stderr, /nowhere is not a directory/)
  const render = (...args: string[]) => runWadi(['render', 'others', ...args], { directory, environment })
  const sockets = await render('--plugin-sockets', 'nowhere')
  assert.deepEqual([sockets.code, sockets.stdout], [20, ''])
  assert.match(sockets.stderr, /nowhere is not a directory of plugin sockets; correct --plugin-sockets/)
  await copyFile(join(directory, 'plugin.yaml'), join(directory, 'copy.yaml'))
  const twice = await render('--plugin', 'plugin.yaml', '--plugin', 'copy.yaml')
  assert.equal(twice.code, 20)
  assert.match(twice.stderr, /plugin\.yaml and copy\.yaml both define plugin greeting; keep one/)
})

test('render takes plugins from files, and says how without them', async () => {
  await using trial = await startTrial()
  const { directory, environment } = trial
  await writeFile(
    join(directory, 'ours', '.argocd-source.yaml'),
    'plugin: {parameters: [{name: size, string: "2"}]}\n',
  )
  const render = (...args: string[]) => runWadi(['render', 'ours', ...args], { directory, environment })
  assert.match((await render('--plugin', 'plugin.yaml')).stdout, /size: "2"/)
  const { code, stderr } = await render()
  assert.equal(code, 20)
  assert.match(stderr, /no plugins are configured; give them with --plugin/)
  const both = await render('--plugin', 'plugin.yaml', '--plugin-sockets', '.')
  assert.deepEqual([both.code, /exclude each other/.test(both.stderr)], [1, true])
})

test('a plugin sees nothing of the environment but how texts, times and certificates are read, and has a home of its own', async () => {
  await using owned = new AsyncDisposableStack()
  const { path: directory } = owned.use(await temporaryDirectory())
  await writeFile(join(directory, 'a.yaml'), '')
  const names = `env | sed -n 's/^\\([A-Za-z_]*\\)=.*/\\1/p' | grep -v '^ARGOCD_\\|^KUBE_' | sort | tr '\\n' ' '`
  const command = `printf 'kind: ConfigMap\\napiVersion: v1\\nmetadata: {name: seen}\\ndata: {names: "%s", home: "%s"}\\n' "$(${names})" "$HOME"`
  const spec = { generate: { command: ['sh', '-c', command] }, discover: { fileName: 'a.yaml' } }
  const plugin = { kind: 'ConfigManagementPlugin', metadata: { name: 'seeing' }, spec }
  await writeFile(join(directory, 'plugin.yaml'), JSON.stringify(plugin))
  const environment = {
    XDG_CACHE_HOME: cacheHome,
    AWS_SECRET_ACCESS_KEY: 'sesame',
    MY_OWN: 'sesame',
    HTTPS_PROXY: 'http://me:sesame@127.0.0.1:9',
    TZ: 'UTC',
    LC_ALL: 'C',
  }
  const { stdout, stderr } = await runWadi(['plugin', 'test', '--plugin', 'plugin.yaml', '.'], {
    directory,
    environment,
  })
  assert.match(stdout, /names: 'HOME LC_ALL PATH PWD TZ WADI_PLUGIN_RUN '/, stderr)
  assert.match(stdout, /home: .*\/run-\w+\/home\n/)
  assert.doesNotMatch(stdout, /sesame|nonexistent/)
})
