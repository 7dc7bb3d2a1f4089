import assert from 'node:assert/strict'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { supplyChainFiles } from '@wadi/testing/supply-chain-files.ts'
import { startWorkingCopy } from '../testing/working-copy-fixture.ts'

const shop = 'apps/shop/prod'
const ignored = 'workload param "registry" ignored: supply chain "web" fixes it (platform/web.yaml:8)'
const chain =
  '.app.replicas = 5  <- Render spec.package.values <- param replicas <- apps/shop/prod/workload.yaml:6 ' +
  '(overrides platform/web.yaml:7 supply chain default 2, platform/web.yaml:30 template default 1, packages/web/values.yaml:3 values file 1)'

test('a leaf is reported with its whole chain: owner, kind, file and line of the winner and of all that it overrides', async () => {
  await using copy = await startWorkingCopy(supplyChainFiles)
  const { stdout, stderr, code } = await copy.wadi(['explain', shop, '.app.replicas'])
  assert.deepEqual([stderr, code], ['', 0])
  assert.equal(
    stdout,
    `values of package "web" for workload "shop" resource "deploy"
${chain}
                                         OWNER      KIND     PLACE                           VALUE
  Render spec.package.values             operator   value    platform/web.yaml:42            5
    <- param replicas: workload param    developer  value    apps/shop/prod/workload.yaml:6  5
         overrides supply chain default  operator   default  platform/web.yaml:7             2
         overrides template default      tool       default  platform/web.yaml:30            1
    overrides values file                tool       default  packages/web/values.yaml:3      1

${ignored}
`,
  )
})

test('without a leaf there is a row for each value, below the tree that it is in, and what was ignored', async () => {
  await using copy = await startWorkingCopy(supplyChainFiles)
  const { stdout, code } = await copy.wadi(['explain', shop])
  assert.equal(code, 0)
  assert.match(stdout, /^PARAMETER +VALUE +FROM +OVERRIDES\nparams of workload "shop" resource "image":\n/)
  const rows = stdout.split('\n').map((line) => line.split(/ {2,}/))
  assert.deepEqual(
    rows.find(([path, , from]) => path === '.app.replicas' && from !== undefined),
    [
      '.app.replicas',
      '5',
      'param replicas <- apps/shop/prod/workload.yaml:6',
      'platform/web.yaml:7 supply chain default 2, platform/web.yaml:30 template default 1, packages/web/values.yaml:3 values file 1',
    ],
  )
  assert.ok(stdout.endsWith(`\n\n${ignored}\n`))
})

test('a part of the values is reported with all leaves below it, as JSON on request', async () => {
  await using copy = await startWorkingCopy(supplyChainFiles)
  const { stdout, stderr } = await copy.wadi(['explain', shop, 'app.limits', '-o', 'json'])
  assert.match(stderr, /workload param "registry" ignored/)
  assert.deepEqual(JSON.parse(stdout), [
    {
      of: 'values of package "web" for workload "shop" resource "deploy"',
      path: '.app.limits.cpu',
      value: 2,
      from: {
        owner: 'operator',
        kind: 'value',
        label: 'Render spec.package.values',
        file: 'platform/web.yaml',
        line: 45,
        value: 2,
        derivedFrom: {
          step: 'param limits.cpu',
          from: {
            owner: 'developer',
            kind: 'value',
            label: 'workload param',
            file: 'apps/shop/prod/workload.yaml',
            line: 10,
            value: 2,
          },
          beats: [
            {
              owner: 'operator',
              kind: 'default',
              label: 'supply chain default',
              file: 'platform/web.yaml',
              line: 9,
              value: 1,
            },
          ],
        },
      },
      beats: [],
    },
  ])
  const yaml = await copy.wadi(['explain', shop, '.app.limits', '-o', 'yaml'])
  assert.match(yaml.stdout, /^- beats: \[\]\n {2}from:\n/)
})

test('a value is found by the name that app params and Helm have for it', async () => {
  await using copy = await startWorkingCopy({
    'web/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
    'web/values.yaml': 'hosts: [a, b]\nlimits:\n  nvidia.com/gpu: 1\n',
  })
  for (const leaf of ['limits.nvidia\\.com/gpu', '.limits.nvidia.com/gpu']) {
    const { stdout, stderr } = await copy.wadi(['explain', 'web', leaf])
    assert.match(stdout, /^\.limits\.nvidia\.com\/gpu = 1 /m, stderr)
  }
  const { stdout, stderr } = await copy.wadi(['explain', 'web', 'hosts[0]'])
  assert.match(stdout, /^\.hosts = \["?a"?,"?b"?\] /m, stderr)
})

test('a value that does not exist is a failed check that names the ones near it', async () => {
  await using copy = await startWorkingCopy(supplyChainFiles)
  const misspelt = await copy.wadi(['explain', shop, '.app.replica'])
  assert.equal(misspelt.code, 20)
  assert.match(misspelt.stderr, /there is no value at \.app\.replica; there are \.app\.replicas/)
  const missing = await copy.wadi(['explain', shop, '.app.colour'])
  assert.match(
    missing.stderr,
    /no value at \.app\.colour; there are \.app\.name, \.app\.replicas, \.app\.image/,
  )
})

test('a place is a directory of the repository or of this machine, in the working copy, a commit or a clone', async () => {
  await using copy = await startWorkingCopy(supplyChainFiles)
  const workload = supplyChainFiles['apps/shop/prod/workload.yaml']
  await copy.write('apps/shop/prod/workload.yaml', workload.replace('value: 5', 'value: 6'))
  await mkdir(join(copy.root, 'elsewhere'))
  const below = join(copy.root, 'apps', 'shop')
  const url = pathToFileURL(copy.root).href
  const runs: [string, string[], string][] = [
    ['6', [shop], copy.root],
    ['6', ['prod'], below],
    ['6', [shop], join(copy.root, 'elsewhere')],
    ['6', ['--repo', copy.root, join(copy.root, shop)], '/'],
    ['5', ['--revision', 'main', shop], copy.root],
    ['5', ['--repo', url, '--revision', 'main', shop], '/'],
  ]
  for (const [value, args, directory] of runs) {
    const { stdout, stderr } = await copy.wadi(['explain', ...args, '.app.replicas', '-o', 'json'], directory)
    assert.match(stdout, new RegExp(`^ {4}"value": ${value},$`, 'm'), `${args.join(' ')}: ${stderr}`)
  }
  const unknown = await copy.wadi(['explain', '--repo', url, '--revision', 'none', shop])
  assert.match(unknown.stderr, /has no commit none/)
  const absent = await copy.wadi(['explain', '--revision', 'main', 'apps/none'])
  assert.match(absent.stderr, /source path "apps\/none" does not exist/)
})

test('every renderer is explained, and files that nothing decides are reported as such', async () => {
  await using copy = await startWorkingCopy({
    'chart/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
    'chart/values.yaml': 'image:\n  tag: v1\n',
    'chart/.argocd-source.yaml': 'helm:\n  valuesObject: {image: {tag: v2}}\n',
    'plain/all.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web}\n',
  })
  const chart = await copy.wadi(['explain', 'chart', '.image'])
  assert.match(
    chart.stdout,
    /^\.image\.tag = v2 {2}<- chart\/\.argocd-source\.yaml:2 \(overrides chart\/values\.yaml:2 chart values v1\)$/m,
  )
  const plain = await copy.wadi(['explain', 'plain'])
  assert.deepEqual([plain.stdout, plain.code], ['Only its files decide this source.\n', 0])
})

test('values that are tried out are reported like those in git', async () => {
  await using copy = await startWorkingCopy(supplyChainFiles)
  await copy.write('trial.yaml', 'replicas: 7\n')
  const args = ['explain', shop, '.app.replicas', '-f', 'trial.yaml']
  const file = await copy.wadi(args)
  assert.match(file.stdout, / = 7 {2}<- Render spec\.package\.values <- param replicas <- trial\.yaml:1 /)
  const setting = await copy.wadi([...args, '--set-values', 'replicas=9'])
  assert.match(setting.stdout, / = 9 {2}<- .* <- param replicas <- --set-values \(overrides /)
})

test('what a kustomization sets is reported with what an option overrides there, an image and a count in one row each', async () => {
  await using copy = await startWorkingCopy({
    'web/kustomization.yaml':
      'resources: [../base]\nnamePrefix: blue-\nimages:\n- {name: web, newName: example.com/web, newTag: "1.0"}\n- {name: side, newTag: "2.0"}\nreplicas:\n- {name: web, count: 2}\n',
    'web/.argocd-source.yaml': 'kustomize:\n  images: [web=example.com/web:1.1]\n  nameSuffix: -x\n',
    'base/kustomization.yaml': 'namespace: shop\ncommonAnnotations: {team: web}\n',
  })
  const { stdout, stderr, code } = await copy.wadi(['explain', 'web'])
  assert.deepEqual([stderr, code], ['', 0])
  assert.equal(
    stdout.replaceAll(/ +$/gm, ''),
    `PARAMETER                VALUE                FROM                       OVERRIDES
kustomization "web":
.namePrefix              blue-                web/kustomization.yaml:2
.images.web              example.com/web:1.1  web/.argocd-source.yaml:2  web/kustomization.yaml:4 kustomization example.com/web:1.0
.images.side             side:2.0             web/kustomization.yaml:5
.replicas.web            2                    web/kustomization.yaml:7
.nameSuffix              "-x"                 web/.argocd-source.yaml:3

kustomization "base":
.namespace               shop                 base/kustomization.yaml:1
.commonAnnotations.team  web                  base/kustomization.yaml:2
`,
  )
  const image = await copy.wadi(['explain', 'web', '.images.web'])
  assert.match(image.stdout, /\.images\.web = example\.com\/web:1\.1 .*overrides web\/kustomization\.yaml:4/)
})
