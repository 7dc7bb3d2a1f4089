import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdir, mkdtempDisposable, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { compileCache, nodeOptions } from '@wadi/testing/quick-start.ts'

const root = path.join(import.meta.dirname, '../../..')
const run = promisify(execFile)
const recorder = `import { registerHooks } from 'node:module'
import { appendFileSync } from 'node:fs'
registerHooks({ load: (url, context, next) => {
  const loaded = next(url, context)
  if (url.startsWith('file:')) appendFileSync(process.env.RECORD, url + ' ' + loaded.format + '\\n')
  return loaded
} })`

/** The modules that a program loads, each with the kind that Node.js takes it for, without those that its options load. */
async function modulesOf(main: string, options: readonly string[]): Promise<string[]> {
  const imports = ['--import', `data:text/javascript,${encodeURIComponent(recorder)}`]
  await using scratch = await mkdtempDisposable(path.join(tmpdir(), 'wadi-modules-'))
  const record = path.join(scratch.path, 'record')
  await run(process.execPath, [...options, ...imports, path.join(root, main), '--help'], {
    env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE: compileCache, RECORD: record },
  })
  return (await readFile(record, 'utf8')).split('\n').filter((line) => line !== '')
}

for (const main of ['services/repo-server/src/main.ts', 'services/api-gateway/src/main.ts']) {
  test(`${main} loads the same modules as without quick modules`, async () => {
    const [quick, plain] = await Promise.all([modulesOf(main, nodeOptions), modulesOf(main, [])])
    assert.ok(plain.length > 300, `${plain.length} modules were recorded`)
    assert.deepEqual(quick.toSorted(), plain.toSorted())
  })
}

const trees: Record<string, { files: Record<string, string>; prints: string | RegExp }> = {
  'a package with two kinds of modules': {
    files: {
      'node_modules/both/package.json':
        '{"type": "module", "exports": {".": "./esm/index.js", "./old": "./cjs/index.js"}}',
      'node_modules/both/esm/index.js':
        'import old from "../cjs/index.js"\nexport default `new and ${old.name}`',
      'node_modules/both/cjs/package.json': '{"type": "commonjs"}',
      'node_modules/both/cjs/index.js': 'exports.name = require("./name.js")',
      'node_modules/both/cjs/name.js': 'module.exports = "old"',
      'main.mjs': 'import both from "both"\nimport old from "both/old"\nconsole.log(both, old.name)',
    },
    prints: 'new and old old\n',
  },
  'a package without "type" whose entry ends in .mjs': {
    files: {
      'node_modules/wrapped/package.json': '{"exports": {"import": "./index.mjs"}}',
      'node_modules/wrapped/index.mjs': 'import inner from "./index.js"\nexport default inner.name',
      'node_modules/wrapped/index.js': 'exports.name = "wrapped"',
      'main.mjs': 'import wrapped from "wrapped"\nconsole.log(wrapped)',
    },
    prints: 'wrapped\n',
  },
  'two versions of a package': {
    files: {
      'node_modules/one/package.json': '{"type": "module", "exports": "./index.js"}',
      'node_modules/one/index.js': 'export default "first"',
      'node_modules/two/package.json': '{"type": "module", "exports": "./index.js"}',
      'node_modules/two/index.js': 'export { default } from "one"',
      'node_modules/two/node_modules/one/package.json': '{"type": "module", "exports": "./index.js"}',
      'node_modules/two/node_modules/one/index.js': 'export default "second"',
      'main.mjs': 'import one from "one"\nimport two from "two"\nconsole.log(one, two)',
    },
    prints: 'first second\n',
  },
  'JSON, and a package without "type"': {
    files: {
      'node_modules/old/package.json': '{"main": "index.js"}',
      'node_modules/old/index.js': 'exports.value = require("./data.json").value',
      'node_modules/old/data.json': '{"value": 1}',
      'data.json': '{"value": 2}',
      'main.mjs':
        'import old from "old"\nimport data from "./data.json" with { type: "json" }\nconsole.log(old.value, data.value)',
    },
    prints: '1 2\n',
  },
  'a file that is missing': {
    files: {
      'package.json': '{"type": "module"}',
      'main.ts': 'import "./later.ts"',
      'later.ts': 'import "./x.ts"',
    },
    prints: /x\.ts/,
  },
  'a file of one of our packages that is not public': {
    files: {
      'package.json': '{"type": "module"}',
      'main.ts': `import ${JSON.stringify(path.join(root, 'libs/errors/src/location.ts'))}\nimport '@wadi/errors/none.ts'`,
    },
    prints: /@wadi\/errors/,
  },
}

for (const [what, { files, prints }] of Object.entries(trees)) {
  test(`quick modules find ${what} as Node.js does`, async () => {
    await using directory = await mkdtempDisposable(path.join(tmpdir(), 'wadi-modules-'))
    for (const [file, content] of Object.entries(files)) {
      await mkdir(path.dirname(path.join(directory.path, file)), { recursive: true })
      await writeFile(path.join(directory.path, file), content)
    }
    const main = path.join(directory.path, 'main.mjs' in files ? 'main.mjs' : 'main.ts')
    const outputOf = async (options: readonly string[]) => {
      const result: unknown = await run(process.execPath, [...options, main]).catch((error: unknown) => error)
      assert.ok(typeof result === 'object' && result !== null && 'stdout' in result && 'stderr' in result)
      return typeof prints === 'string' ? result.stdout : result.stderr
    }
    for (const options of [[], nodeOptions]) {
      const output = String(await outputOf(options))
      if (typeof prints === 'string') assert.equal(output, prints)
      else assert.match(output, prints)
    }
  })
}
