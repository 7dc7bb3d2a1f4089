import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { appendFile, cp, mkdtempDisposable, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'

const repository = path.dirname(import.meta.dirname)
const generated = 'libs/protocol/src/gen/grpc/health/v1'
const other = 'libs/protocol/src/gen/grpc/reflection/v1'
const older = 'libs/protocol/src/gen/grpc/reflection/v1alpha'

test('generated code that is missing, changed or left over is named', async () => {
  await using scratch = await mkdtempDisposable(path.join(tmpdir(), 'wadi-generated-'))
  const root = scratch.path
  for (const entry of ['buf.yaml', 'buf.gen.yaml', 'proto/grpc', generated, other, older]) {
    await cp(path.join(repository, entry), path.join(root, entry), { recursive: true })
  }
  const file = path.join(root, generated, 'health_pb.ts')
  const check = () => {
    const { stdout, stderr } = spawnSync(
      process.execPath,
      [path.join(import.meta.dirname, 'check-generated.ts'), root],
      {
        encoding: 'utf8',
        env: { ...process.env, PATH: `${repository}/node_modules/.bin:${process.env['PATH']}` },
      },
    )
    return `${stdout}${stderr}`.trim().split('\n')
  }
  assert.deepEqual(check(), ['3 generated files are up to date'])

  const content = await readFile(file, 'utf8')
  await appendFile(file, 'export const edited = true\n')
  await writeFile(path.join(root, generated, 'old_pb.ts'), '\n')
  await rm(path.join(root, other), { recursive: true })
  await cp(path.join(repository, 'buf.yaml'), path.join(root, 'libs/protocol/src/gen/.keep'))
  assert.deepEqual(check(), [
    `${generated}/health_pb.ts:${content.split('\n').length}: differs from its proto file; run 'npm run generate'`,
    `${other}/reflection_pb.ts:1: missing; run 'npm run generate'`,
    'libs/protocol/src/gen/.keep:1: no proto file generates this; delete it',
    `${generated}/old_pb.ts:1: no proto file generates this; delete it`,
    '4 problems',
  ])
})
