import assert from 'node:assert/strict'
import { chmod, mkdtempDisposable, readFile, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { newAdminToken, readAdminToken } from './admin-token.ts'

async function mode(path: string): Promise<number> {
  return (await stat(path)).mode & 0o777
}

test('without a given token one is made, kept and readable by its owner alone', async () => {
  await using directory = await mkdtempDisposable(join(tmpdir(), 'wadi-token-'))
  const file = join(directory.path, 'new', 'inner', 'admin.token')
  const token = await readAdminToken(undefined, file)
  assert.match(token, /^wadi_[\w-]{43}$/)
  assert.equal(await readFile(file, 'utf8'), `${token}\n`)
  assert.equal(await mode(file), 0o600)
  assert.equal(await mode(join(directory.path, 'new', 'inner')), 0o700)
  assert.equal(await readAdminToken(undefined, file), token)
})

test('a file that others may read is closed to them', async () => {
  await using directory = await mkdtempDisposable(join(tmpdir(), 'wadi-token-'))
  const file = join(directory.path, 'admin.token')
  await writeFile(file, '  a token of the operator with a line feed\n')
  await chmod(file, 0o644)
  assert.equal(await readAdminToken(undefined, file), 'a token of the operator with a line feed')
  assert.equal(await mode(file), 0o600)
})

test('two starts at once agree on one token', async () => {
  await using directory = await mkdtempDisposable(join(tmpdir(), 'wadi-token-'))
  const file = join(directory.path, 'admin.token')
  const tokens = await Promise.all(Array.from({ length: 8 }, () => readAdminToken(undefined, file)))
  assert.equal(new Set(tokens).size, 1)
  assert.match(tokens[0] ?? '', /^wadi_[\w-]{43}$/)
})

test('a given token is taken as it is and nothing is written', async () => {
  await using directory = await mkdtempDisposable(join(tmpdir(), 'wadi-token-'))
  const file = join(directory.path, 'admin.token')
  const given = 'x'.repeat(32)
  assert.equal(await readAdminToken(given, file), given)
  await assert.rejects(stat(file), { code: 'ENOENT' })
})

test('a configured token that is too short is refused without being repeated', async () => {
  for (const given of ['', 'secret-'.repeat(4) + 'abc']) {
    await assert.rejects(readAdminToken(given, '/nonexistent/admin.token'), {
      name: 'InvalidInputError',
      message: `WADI_ADMIN_TOKEN has ${given.length} characters; at least 32 are needed`,
    })
  }
})

test('a stored token that is too short, as an emptied file is, is refused', async () => {
  await using directory = await mkdtempDisposable(join(tmpdir(), 'wadi-token-'))
  const file = join(directory.path, 'admin.token')
  for (const text of ['', '\n', 'short\n']) {
    await writeFile(file, text)
    await assert.rejects(readAdminToken(undefined, file), { name: 'InvalidInputError' }, JSON.stringify(text))
  }
})

test('no two new tokens are equal', () => {
  assert.notEqual(newAdminToken(), newAdminToken())
})
