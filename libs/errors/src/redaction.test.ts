import assert from 'node:assert/strict'
import { test } from 'node:test'
import { threadMs } from '@wadi/testing/processor-time.ts'
import { redactor, withoutUserInfo } from './redaction.ts'

test('secrets are hidden as whole values, plain and percent-encoded, and words that hold them stay', () => {
  const redact = redactor(['hunter2', 'p@ss/word', 'repo'])
  assert.equal(redact('password hunter2, "hunter2" and a=hunter2.'), 'password ***, "***" and a=***.')
  assert.equal(redact('hunter22 xhunter2 hunter2_ überhunter2'), 'hunter22 xhunter2 hunter2_ überhunter2')
  assert.equal(redact('p%40ss%2Fword p@ss/word'), '*** ***')
  assert.equal(redact('the repository of repo.git'), 'the repository of ***.git')
})

test('a secret of a few letters hides no letters of the text', () => {
  const redact = redactor(['p', 'ab'])
  const text = 'repository p of ab: https://git.example.com/p/ab.git'
  assert.equal(redact(text), text)
  assert.equal(redact('password=p "ab" token:ab'), 'password=*** "***" token:***')
})

test('a secret that holds another one is hidden whole, and signs of patterns mean nothing', () => {
  const redact = redactor(['abcd', 'abcd-efgh', 'a.b*c', '$&()[]'])
  assert.equal(redact('abcd-efgh abcd a.b*c aXbYc $&()[]'), '*** *** *** aXbYc ***')
})

for (const [text, expected] of [
  ['https://user:secret@host/x', 'https://host/x'],
  ['fatal: http://token@host:8080/a.git/: 404', 'fatal: http://host:8080/a.git/: 404'],
  ['https://u:p@ss@host/x', 'https://host/x'],
  ['https://u:pa/ss@host/x', 'https://host/x'],
  ['ssh://git@host:2222/x and https://a:b@other/', 'ssh://host:2222/x and https://other/'],
  ['https://host:8080/path@v1.2', 'https://host:8080/path@v1.2'],
  ['https://host/a@b', 'https://host/a@b'],
  [
    'get https://host/a?access_token=s3cr3t&ref=main: 404',
    'get https://host/a?access_token=***&ref=main: 404',
  ],
  ['https://u:p@host/a?v=1&X-Amz-Signature=ab%2Fc#x', 'https://host/a?v=1&X-Amz-Signature=***#x'],
  ['https://host/a?ref=token', 'https://host/a?ref=token'],
  ['/tmp/https:/user:secret@host/x: no such file', '/tmp/https:/host/x: no such file'],
  ['C:/a@b and image:/a@sha256', 'C:/a@b and image:/a@sha256'],
  ['is it a key? yes=no', 'is it a key? yes=no'],
] as const) {
  test(`${text} is reported as ${expected}`, () => {
    assert.equal(withoutUserInfo(text), expected)
  })
}

test('a long text is looked through in no time', () => {
  const milliseconds = threadMs(() => {
    withoutUserInfo('https://'.repeat(50_000))
    withoutUserInfo(`${'://a?'.repeat(50_000)}${'&key'.repeat(50_000)}`)
    redactor(['secret'])('secre'.repeat(100_000))
  })
  assert.ok(milliseconds < 5_000)
})
