import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InvalidInputError } from '@wadi/errors/domain-error.ts'
import { readPolicy } from './read-policy.ts'

function read(text: string) {
  return readPolicy([{ source: 'policy.csv', text }])
}

function errorsOf(text: string): string[] {
  let message = ''
  assert.throws(
    () => read(text),
    (error) => {
      assert.ok(error instanceof InvalidInputError)
      message = error.message
      return true
    },
  )
  return message.split('\n')
}

test('rules, memberships, comments and blank lines are distinguished', () => {
  assert.deepEqual(
    read('\n# comment\r\n  p, role:dev, applications, get, dev/*, allow\r\n\t# more\ng, ada, role:dev'),
    {
      rules: [
        {
          subject: 'role:dev',
          resource: 'applications',
          action: 'get',
          object: 'dev/*',
          effect: 'allow',
          at: 'policy.csv:3',
        },
      ],
      grants: [{ member: 'ada', role: 'role:dev', at: 'policy.csv:5' }],
    },
  )
})

test('quotes protect commas, and blanks go before a value alone', () => {
  const [rule] = read('p, "cn=a,ou=""b""",applications , "{get,create}",\u00a0dev/* , allow ').rules
  assert.partialDeepStrictEqual(rule, {
    subject: 'cn=a,ou="b"',
    resource: 'applications ',
    action: '{get,create}',
    object: 'dev/* ',
    effect: 'allow',
  })
})

test('any effect and empty values are read', () => {
  const { rules } = read('p, , , , , maybe\np,a,b,c,d,')
  assert.deepEqual(
    rules.map(({ subject, effect }) => [subject, effect]),
    [
      ['', 'maybe'],
      ['a', ''],
    ],
  )
})

test('every broken line is named at once, with its number in the file', () => {
  const text =
    'p, a, b, c, d\ng, a, b, c\np2, a, b, c, d, allow\np, a, b, c, "d, allow\np, a, b, c, d"e, allow\np, a, b, c, "d" , allow'
  assert.throws(
    () =>
      readPolicy([
        { source: 'a.csv', text: 'p, a, b, c, d, allow' },
        { source: 'b.yaml', text, firstLine: 8 },
      ]),
    InvalidInputError,
  )
  assert.deepEqual(
    errorsOf(text).map((error) => error.replace(/: ".*/, '')),
    [
      'policy.csv:1: a line with p needs subject, resource, action, object and effect, and has 4 values; a value with commas needs quotes',
      'policy.csv:2: a line with g needs a member and a role, and has 3 values; a value with commas needs quotes',
      'policy.csv:3: a line must begin with p or g',
      'policy.csv:4: a quoted field is not closed',
      String.raw`policy.csv:5: the field "d\"e" has a quote inside`,
      'policy.csv:6: a comma must follow the quoted field "d"',
    ],
  )
})

test('a text keeps the number that its first line has', () => {
  assert.equal(
    readPolicy([{ source: 'cm.yaml', text: '\ng, a, b', firstLine: 9 }]).grants[0]?.at,
    'cm.yaml:10',
  )
})

test('overlong lines are errors, and only so many errors are reported', () => {
  assert.match(
    errorsOf(`p, ${'a'.repeat(5000)}, b, c, d, allow`)[0] ?? '',
    /^policy.csv:1: a line may have 4096 char/,
  )
  const errors = errorsOf('x\n'.repeat(1500))
  assert.deepEqual([errors.length, errors.at(-1)], [1001, 'and further lines'])
})
