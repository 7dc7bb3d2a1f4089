import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import path from 'node:path'
import { after, test } from 'node:test'
import { startRestrictedContainment } from './containment-fixture.ts'

const bed = await startRestrictedContainment()
after(() => bed[Symbol.asyncDispose]())
const { isolatedBy, notIsolatedBecause } = bed.containment
const skip = isolatedBy === 'landlock' ? false : notIsolatedBecause

test(
  'a program in Landlock reads the system and its directory, and writes to the latter alone',
  { skip },
  async () => {
    writeFileSync(path.join(bed.scratch, 'secret'), 'sesame')
    const { output, errorOutput } = await bed.shell(
      `cat ${bed.scratch}/secret; ls ${bed.scratch} ${import.meta.dirname}; for f in ${bed.scratch}/x /tmp/left-${process.pid}; do touch $f; done 2>&1 | grep -c denied; mv ${bed.scratch}/secret mine 2>&1; : > first && mv first second && mkdir deep && mv second deep/third && ls deep; cat /etc/hosts > /dev/null && echo read`,
    )
    assert.equal(output.replace(/^mv:.*\n/m, ''), '2\nthird\nread\n')
    assert.doesNotMatch(output + errorOutput, /sesame/)
    assert.equal(errorOutput.match(/Permission denied/g)?.length, 3)
    assert.equal(readFileSync(path.join(bed.scratch, 'secret'), 'utf8'), 'sesame')
  },
)

test('a program in Landlock neither signals nor looks into the service', { skip }, async (t) => {
  const { active } = bed.containment.protections.find(({ name }) => name === 'processes') ?? { active: false }
  if (!active) return t.skip('the kernel does not keep signals back')
  const { output, errorOutput } = await bed.shell(
    `kill -0 ${process.pid} || echo kept; cat /proc/${process.pid}/environ; ls /proc/${process.pid}/root/`,
  )
  assert.equal(output, 'kept\n')
  assert.equal(errorOutput.match(/Permission denied/g)?.length, 2)
})

test('a program in Landlock makes no socket, unless the network is allowed', { skip }, async () => {
  const socket = path.join(bed.scratch, 'socket')
  await using onSocket = createServer((connection) => connection.end('reached'))
  await new Promise<void>((resolve) => onSocket.listen(socket, resolve))
  await using onPort = createServer((connection) => connection.end('reached'))
  await new Promise<void>((resolve) => onPort.listen(0, '127.0.0.1', resolve))
  const address = onPort.address()
  assert.ok(address !== null && typeof address === 'object')
  const inet = `perl -MIO::Socket::INET -e 'my $c = IO::Socket::INET->new(PeerAddr => "127.0.0.1:${address.port}") or die "$!\\n"; print <$c>'`
  const unix = `perl -MIO::Socket::UNIX -e 'my $c = IO::Socket::UNIX->new(Peer => "${socket}") or die "$!\\n"; print <$c>'`
  const datagram = `perl -MSocket -e 'socket(my $s, PF_INET, SOCK_DGRAM, 0) or die "$!\\n"; print "made"'`
  const isolation = { view: 'system', directory: bed.directory } as const
  for (const script of [inet, unix, datagram]) {
    const alone = await bed.shell(script, { isolation: { ...isolation, network: false } })
    assert.deepEqual([alone.output, alone.errorOutput], ['', 'Permission denied'])
  }
  assert.equal((await bed.shell(inet, { isolation: { ...isolation, network: true } })).output, 'reached')
})

test(
  'hidden places below visible ones are not readable, but for a program that is run',
  { skip },
  async () => {
    const directory = path.join(bed.scratch, 'tools')
    mkdirSync(path.join(directory, 'hidden/bin'), { recursive: true })
    writeFileSync(path.join(directory, 'hidden/secret'), 'sesame')
    writeFileSync(path.join(directory, 'open'), 'open')
    const tool = path.join(directory, 'hidden/bin/tool')
    const script = `#!/bin/sh\ncat ${directory}/open ${directory}/hidden/secret\n`
    writeFileSync(tool, script, { mode: 0o755 })
    const hidden = [path.join(directory, 'hidden')]
    await using hiding = await startRestrictedContainment({ moreDirectories: [directory], hidden })
    const { output, errorOutput } = await hiding.containment.run([tool], hiding.options())
    assert.equal(output.toString(), 'open')
    assert.match(errorOutput, /hidden\/secret: Permission denied/)
  },
)

test('a variable that a shell cannot name reaches a program in Landlock', { skip }, async () => {
  const environment = { 'spring.profile': 'prod' }
  const { output } = await bed.containment.run(['/usr/bin/env'], bed.options({ environment }))
  assert.equal(output.toString(), 'spring.profile=prod\n')
})

test('a program that cannot be found says so', { skip }, async () => {
  await assert.rejects(
    bed.containment.run(['/nonexistent/helm'], bed.options()),
    /the program cannot be contained: .*nonexistent\/helm: No such file/,
  )
})
