import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Command } from 'commander'
import { namedCommand, splitWords, withPlainBooleans } from './option-words.ts'

test('quotes and backslashes protect blanks', () => {
  assert.deepEqual(splitWords(String.raw`  --server a:1 -H 'x: $HOME "y"' --b="c d"\ e "\"q\"" `), [
    '--server',
    'a:1',
    '-H',
    'x: $HOME "y"',
    '--b=c d e',
    '"q"',
  ])
  assert.deepEqual(splitWords('  '), [])
})

test('an open quote is refused', () => {
  assert.throws(() => splitWords(`--server 'a`), {
    message: 'WADI_OPTS has an open quote; close it',
    exitCode: 1,
  })
})

test('boolean flags in the form of Go become plain ones, everything else stays', () => {
  const program = new Command('p').option('--upsert').option('--validate', '', true).option('--no-validate')
  program.option('--label <pair>')
  const words = ['--upsert=true', '--upsert=false', '--validate=false', '--label=true', '--', '--upsert=true']
  assert.deepEqual(withPlainBooleans(program, words), [
    '--upsert',
    '--no-validate',
    '--label=true',
    '--',
    '--upsert=true',
  ])
})

test('the named command is the first word that no global flag takes', () => {
  const program = new Command('p').option('-s, --server <address>').option('--plaintext')
  const cases: [string[], string | undefined][] = [
    [['app', 'list'], 'app'],
    [['--server', 'up', 'app', 'list'], 'app'],
    [['-s', 'up', '--plaintext', 'app'], 'app'],
    [['--server=up', 'app'], 'app'],
    [['--unknown', 'app'], 'app'],
    [['help', 'app'], 'app'],
    [['--', 'app'], 'app'],
    [['--help'], undefined],
    [[], undefined],
  ]
  for (const [words, name] of cases) assert.equal(namedCommand(program, words), name, words.join(' '))
})
