import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { commonSettings } from './common-settings.ts'
import { temporaryDirectory } from './server-fixture.ts'
import { HelpRequest, defineSettings, readSettings } from './service-settings.ts'

const definition = defineSettings({
  endpoints: {
    type: 'urlList',
    flag: 'endpoints',
    env: 'T_ENDPOINTS',
    required: true,
    description: 'Replicas.',
  },
  interval: { type: 'duration', flag: 'interval', env: 'T_INTERVAL', default: '2m', description: 'Pause.' },
  limit: { type: 'bytes', flag: 'limit', env: 'T_LIMIT', default: '16MiB', description: 'Size.' },
  slots: { type: 'int', flag: 'slots', env: 'T_SLOTS', default: '4', description: 'Slots | workers.' },
  sign: { type: 'boolean', flag: 'sign', env: 'T_SIGN', default: 'false', description: 'Signs.' },
  names: { type: 'list', flag: 'names', env: 'T_NAMES', description: 'Names.' },
  mode: {
    type: 'choice',
    flag: 'mode',
    env: 'T_MODE',
    choices: ['a', 'b'],
    default: 'a',
    description: 'Mode.',
  },
  token: { type: 'string', env: 'T_TOKEN', secret: true, description: 'Token.' },
})

const endpoints = ['--endpoints', 'http://127.0.0.1:1']

test('defaults, variables and flags are read in rising order of strength, with their types', () => {
  const settings = readSettings(definition, {
    env: { T_INTERVAL: '5s', T_SLOTS: '8', T_NAMES: 'x, y,', T_MODE: 'b', T_LIMIT: '' },
    argv: ['--endpoints=http://127.0.0.1:1,unix:/run/x', '--slots', '2', '--sign'],
  })
  // The types hold without narrowing: a setting with a default is never undefined, a choice is one of its words.
  const mode: 'a' | 'b' = settings.mode
  const interval: number = settings.interval
  assert.deepEqual(
    { ...settings, mode, interval },
    {
      endpoints: ['http://127.0.0.1:1', 'unix:/run/x'],
      interval: 5_000,
      limit: 16_777_216,
      slots: 2,
      sign: true,
      names: ['x', 'y'],
      mode: 'b',
      token: undefined,
    },
  )
})

test('a secret comes from the file that its variable names', async () => {
  await using directory = await temporaryDirectory()
  const file = path.join(directory.path, 'token')
  await writeFile(file, 's3cret\n')
  const { token } = readSettings(definition, { env: { T_TOKEN_FILE: file }, argv: endpoints })
  assert.equal(token, 's3cret')
})

const wrong: Record<string, [argv: string[], env: Record<string, string>, message: RegExp]> = {
  'a required setting without value': [[], {}, /^--endpoints or T_ENDPOINTS is required: Replicas\.$/],
  'an unknown flag': [['--wat=s3cret'], {}, /^unknown argument --wat; --help/],
  'a flag for a secret': [['--token', 'x'], {}, /^unknown argument --token/],
  'a flag without value': [['--slots'], {}, /^--slots needs a value$/],
  'a bad duration': [
    endpoints,
    { T_INTERVAL: '5' },
    /^T_INTERVAL: expected a number with ms, s, m or h .*, got "5"$/,
  ],
  'a bad size': [[...endpoints, '--limit', '16MB'], {}, /^--limit: expected a number with B, KiB/],
  'a negative number': [endpoints, { T_SLOTS: '-1' }, /^T_SLOTS: expected a whole number/],
  'a bad boolean': [endpoints, { T_SIGN: 'yes' }, /^T_SIGN: expected true or false, got "yes"$/],
  'a word outside the choice': [endpoints, { T_MODE: 'c' }, /^T_MODE: expected one of a, b, got "c"$/],
  'an endpoint with a password': [['--endpoints', 'http://a:b@c'], {}, /^--endpoints: expected URLs/],
  'an unreadable secret file': [
    endpoints,
    { T_TOKEN_FILE: '/nowhere/x' },
    /^T_TOKEN_FILE: cannot read the file/,
  ],
}
for (const [name, [argv, env, message]] of Object.entries(wrong)) {
  test(`${name} is refused by its name`, () => {
    assert.throws(() => readSettings(definition, { env, argv }), { name: 'InvalidInputError', message })
  })
}

test('--help lists each setting with flag, variable, form, default and meaning', () => {
  assert.throws(
    () => readSettings(commonSettings, { env: {}, argv: ['--help'] }),
    (error) => {
      assert.ok(error instanceof HelpRequest)
      assert.match(
        error.message,
        /^--drain-timeout +WADI_DRAIN_TIMEOUT +a number with ms.* +20s +Time that calls/m,
      )
      return error.message.trim().split('\n').length === Object.keys(commonSettings).length + 1
    },
  )
})

test('two settings with one name are a defect of the declaration', () => {
  const setting = { type: 'string', env: 'T_X', description: 'X.' } as const
  assert.throws(() => defineSettings({ first: setting, second: setting }), /two settings are named T_X/)
})
