import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { changesOf, describeSource, editSource, linesOf } from '../../../run/parameters-fixture.ts'
import { RenderFixture, testSource, testTools } from '../../../run/render-fixture.ts'
import { supplyChainFiles } from '@wadi/testing/supply-chain-files.ts'

const tools = await testTools()
const source = testSource('packages/web')

const schema = {
  type: 'object',
  properties: {
    app: {
      type: 'object',
      required: ['region'],
      properties: {
        replicas: { type: 'integer', title: 'Replicas', description: 'How many pods run.' },
        logLevel: { enum: ['debug', 'info', 'warn'] },
        region: { type: 'string' },
        hosts: { type: 'array', items: { type: 'string' } },
      },
    },
  },
}

const withoutRequired = JSON.stringify(schema).replace('"required":["region"],', '')

const configured = `# Settings of web.
package:
  deploy:
    values: [prod.yaml]
    set: {level: debug}
    set_values:
      # Few are enough.
      .app.replicas: 4
      app.limits: {cpu: 1}
`

const files = {
  ...supplyChainFiles,
  'packages/web/zarf.yaml': supplyChainFiles['packages/web/zarf.yaml'].replace(
    'values: {files: [values.yaml]}',
    'values: {files: [values.yaml], schema: values.schema.json}',
  ),
  'packages/web/values.schema.json': JSON.stringify(schema),
  'packages/web/zarf-config.yaml': configured,
  'packages/web/prod.yaml': '# Production.\napp:\n  region: eu # near\n  ratio: 0.5\n',
}

test('values, variables and constants of a package are listed with where each comes from', async () => {
  await using fixture = new RenderFixture(tools, files)
  const { renderer, parameters, warnings } = await describeSource(fixture, source)
  assert.deepEqual([renderer, warnings], ['package', []])
  const at = 'file packages/web'
  assert.deepEqual(linesOf(parameters), [
    `.app.name: string default "web" (${at}/values.yaml:2)`,
    `.app.replicas: number = "4" (${at}/zarf-config.yaml:8) default "1" (${at}/values.yaml:3)`,
    `.app.image: string default "none" (${at}/values.yaml:4)`,
    `.app.logLevel: enum default "warn" (${at}/values.yaml:5)`,
    `.app.limits.cpu: number = "1" (${at}/zarf-config.yaml:9) unknown`,
    `.app.region: string = "eu" (${at}/prod.yaml:3)`,
    `.app.ratio: number = "0.5" (${at}/prod.yaml:4) unknown`,
    '.app.hosts: string',
    `LEVEL: string = "debug" (${at}/zarf-config.yaml:5) default "warn" (${at}/zarf.yaml:5)`,
    `REGION: string default "eu" (${at}/zarf.yaml:6)`,
    `TEAM: string default "web" (${at}/zarf.yaml:8)`,
  ])
  assert.deepEqual(
    parameters.map(({ title, tooltip, group, options, required, fixedBecause }) => [
      title,
      tooltip,
      group,
      options,
      required,
      fixedBecause,
    ])[1],
    ['Replicas', 'How many pods run.', 'values', [], false, ''],
  )
  assert.deepEqual(parameters.at(3)?.options, ['debug', 'info', 'warn'])
  assert.match(parameters.at(-1)?.fixedBecause ?? '', /^it is a constant of the package/)
})

test('a value is changed where it is set, and any other in the configuration, with all comments kept', async () => {
  await using fixture = new RenderFixture(tools, files)
  const { path, after, others } = await editSource(
    fixture,
    source,
    changesOf(
      '.app.region=us',
      'app.replicas=6',
      '.app.name=7',
      'LEVEL=warn',
      'REGION=us',
      '.app.limits.cpu-',
    ),
  )
  assert.equal(path, 'packages/web/prod.yaml')
  assert.equal(after, '# Production.\napp:\n  region: us # near\n  ratio: 0.5\n')
  assert.deepEqual(
    others.map((other) => [other.path, other.after]),
    [
      [
        'packages/web/zarf-config.yaml',
        `# Settings of web.
package:
  deploy:
    values: [prod.yaml]
    set: {level: "warn", "region": "us"}
    set_values:
      # Few are enough.
      .app.replicas: 6
      .app.name: '''7'''
`,
      ],
    ],
  )
})

test('a values file outside of the directory of the package is overridden, and not changed', async () => {
  await using fixture = new RenderFixture(tools, {
    ...files,
    'packages/web/zarf-config.yaml': 'package: {deploy: {values: [../shared.yaml]}}\n',
    'packages/shared.yaml': 'app: {region: eu}\n',
  })
  const { path, after, others } = await editSource(fixture, source, changesOf('.app.region=us'))
  assert.deepEqual([path, others], ['packages/web/zarf-config.yaml', []])
  assert.equal(after, 'package: {deploy: {values: [../shared.yaml], "set_values": {".app.region":"us"}}}\n')
  await assert.rejects(editSource(fixture, source, changesOf('.app.region-')), {
    message:
      ".app.region is set in packages/shared.yaml, which is outside of the package's directory: edit it there",
  })
})

test('lists, fractions and choices are written as their types, and a package without a configuration gets one', async () => {
  const { 'packages/web/zarf-config.yaml': _config, 'packages/web/prod.yaml': _values, ...others } = files
  await using fixture = new RenderFixture(tools, {
    ...others,
    'packages/web/values.schema.json': withoutRequired,
  })
  const whole = { kind: 'array', items: ['a.example', 'b.example'] } as const
  const { path, before, after } = await editSource(fixture, source, {
    assignments: [
      { target: '.app.hosts', value: '', whole },
      { target: '.app.limits', value: 'cpu: 0.5\nmemory: "1"' },
      { target: '.app.logLevel', value: 'info' },
    ],
    removals: [],
  })
  assert.deepEqual([path, before], ['packages/web/zarf-config.yaml', ''])
  assert.equal(
    after,
    `package:
  deploy:
    set_values:
      .app.hosts:
        - a.example
        - b.example
      .app.limits:
        cpu: 0.5
        memory: "1"
      .app.logLevel: info
`,
  )
})

test('what cannot be set or does not fit is refused with the reason', async () => {
  await using fixture = new RenderFixture(tools, files)
  for (const [change, message] of [
    ['TEAM=x', /TEAM cannot be set: it is a constant of the package/],
    ['.app.replicas=many', /"many" is not a number/],
    ['.app.ratio=1.50', /write 1\.5 for "1\.50"/],
    ['.app.name-', /\.app\.name is not set/],
  ] as const)
    await assert.rejects(editSource(fixture, source, changesOf(change)), { message })
  const many = Array.from({ length: 201 }, (_, index) => `.app.more${index}=1`)
  await assert.rejects(
    editSource(fixture, source, changesOf(...many)),
    /more than 200 parameters change at once/,
  )
  const toml = {
    ...files,
    'packages/web/values.schema.json': withoutRequired,
    'packages/web/zarf-config.toml': '[package.deploy.set]\nlevel = "debug"\n',
  }
  await using other = new RenderFixture(tools, toml)
  const edit = editSource(other, source, changesOf('LEVEL=info'))
  await assert.rejects(edit, InvalidInputError)
  await assert.rejects(edit, /zarf-config\.toml is TOML, which is edited by hand/)
})
