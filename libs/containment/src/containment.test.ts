import assert from 'node:assert/strict'
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import path from 'node:path'
import { after, test } from 'node:test'
import { hangLimitMs } from '@wadi/testing/hang-limit.ts'
import {
  FailedPreconditionError,
  ProgramKilledError,
  ResourceExhaustedError,
  TimeLimitError,
} from '@wadi/errors/domain-error.ts'
import { pathDirectories } from './find-program.ts'
import { isStaticProgram } from './program-kind.ts'
import { startContainment, startRestrictedContainment } from './containment-fixture.ts'

const own = await startContainment()
const programs = path.join(own.scratch, 'programs')
mkdirSync(programs)
// A machine that has none of the programs by which namespaces are made.
for (const name of ['sh', 'env']) symlinkSync(`/usr/bin/${name}`, path.join(programs, name))
const bare = await startContainment({ programDirectories: [programs] })
// One that has none of these, and Perl.
const restricted = await startRestrictedContainment()
after(async () => {
  await restricted[Symbol.asyncDispose]()
  await bare[Symbol.asyncDispose]()
  await own[Symbol.asyncDispose]()
})
const skip =
  own.containment.isolatedBy === 'namespaces' ? false : 'this machine does not isolate programs by namespaces'
const beds = [
  ...(skip === false ? [['in namespaces', own] as const] : []),
  ...(restricted.containment.isolatedBy === 'landlock' ? [['in Landlock', restricted] as const] : []),
  ['in limits alone', bare] as const,
]

/** Takes memory without end. */
const growing = `exec perl -e 'push @a, "x" x 1e6 while 1'`

for (const [where, bed] of beds) {
  test(`a program ${where} sees the given environment alone, and its streams and exit code come back`, async () => {
    const environment = { ONLY: 'this' }
    const { output } = await bed.containment.run(['/usr/bin/env'], bed.options({ environment }))
    assert.equal(output.toString(), 'ONLY=this\n')
    assert.deepEqual(await bed.shell('echo out; echo bad >&2; exit 3'), {
      exitCode: 3,
      signal: undefined,
      output: 'out\n',
      errorOutput: 'bad',
    })
  })

  test(`a program ${where} that takes too much memory is killed, and the error says of what and what to set`, async () => {
    await assert.rejects(bed.shell(growing), (error) => {
      assert.ok(error instanceof ResourceExhaustedError && !error.retryable)
      assert.equal(
        error.message,
        'the program was killed because it used more than 128 MiB of memory; make its input smaller, or set WADI_RENDER_MEMORY to allow more',
      )
      return true
    })
  })

  test(`all processes of a program ${where} share the memory`, async () => {
    // Ten processes with 30 MiB each.
    const script = `for i in 1 2 3 4 5 6 7 8 9 10; do perl -e '$a = "x" x 3e7; sleep 600' & done; wait`
    await assert.rejects(bed.shell(script), /used more than 128 MiB of memory/)
  })

  test(`a program ${where} that takes too much of a processor is killed by the kernel`, async () => {
    // On a busy machine a second of processor time takes a minute.
    const limits = { cpuSeconds: 1, timeoutMs: 200_000 }
    for (const script of ['while :; do :; done', 'trap "" XCPU; while :; do :; done']) {
      await assert.rejects(bed.shell(script, limits), (error) => {
        assert.ok(error instanceof TimeLimitError && !error.retryable)
        assert.equal(
          error.message,
          'the program was killed because it used more than 1 s of processor time; make its input simpler',
        )
        return true
      })
    }
  })

  test(`a program ${where} over its time is killed together with what it started`, async () => {
    const started = performance.now()
    await assert.rejects(
      bed.shell('sleep 600 & sleep 600', { timeoutMs: 300 }),
      new TimeLimitError('the program took longer than 0.3 s and was stopped'),
    )
    assert.ok(performance.now() - started < hangLimitMs)
  })

  test(`a program ${where} that another process kills has its own error and may be tried again`, async () => {
    await assert.rejects(bed.shell('kill -KILL $$'), (error) => {
      assert.ok(error instanceof ProgramKilledError && error.retryable)
      assert.match(
        error.message,
        /^the program was killed by signal 9, probably by the kernel's out-of-memory killer;/,
      )
      return true
    })
    assert.equal((await bed.shell('kill -SEGV $$')).signal, 'SIGSEGV')
  })

  test(`a program ${where} that writes without end is stopped, and an aborted one ends with its reason`, async () => {
    await assert.rejects(
      bed.shell('while :; do echo yes; done'),
      /^ResourceExhaustedError: the program wrote more than/,
    )
    const controller = new AbortController()
    const running = bed.shell('sleep 600', { signal: controller.signal })
    controller.abort(new Error('shutting down'))
    await assert.rejects(running, /^Error: shutting down$/)
  })
}

test('a program that does not exist cannot be started', async () => {
  const { exitCode, errorOutput } = await bare.containment.run(['/nonexistent/helm'], bare.options())
  assert.notEqual(exitCode, 0)
  assert.match(errorOutput, /nonexistent\/helm: not found/)
  const environment = { HUGE: 'x'.repeat(200_000) }
  await assert.rejects(
    bare.containment.run(['/usr/bin/env'], bare.options({ environment })),
    FailedPreconditionError,
  )
})

test('a variable that a shell cannot name reaches a program', async () => {
  const environment = { 'spring.profile': 'prod', PLAIN: 'too' }
  const { output } = await bare.containment.run(['/usr/bin/env'], bare.options({ environment }))
  assert.deepEqual(output.toString().trim().split('\n').toSorted(), ['PLAIN=too', 'spring.profile=prod'])
})

test(
  'a program in namespaces sees its directory and the programs of the system, and may write to the first',
  { skip },
  async () => {
    writeFileSync(path.join(own.scratch, 'secret'), 'sesame')
    const { output, errorOutput } = await own.shell(
      `cat ${own.scratch}/secret; ls ${import.meta.dirname} /etc/shadow; touch /x /usr/x /tmp/x; touch mine; ls; id -u; [ $(ls -d /proc/[0-9]* | wc -l) -lt 8 ] && echo few; kill -0 ${process.pid}`,
    )
    assert.equal(output, 'mine\n65534\nfew\n')
    assert.doesNotMatch(output + errorOutput, /sesame/)
    assert.equal(errorOutput.match(/No such file/g)?.length, 3)
    assert.equal(errorOutput.match(/Read-only file system/g)?.length, 3)
    assert.match(errorOutput, /No such process/)
    assert.ok(existsSync(path.join(own.directory, 'mine')))
  },
)

test(
  'a program that needs no other file sees nothing but itself, its directory and /dev/null',
  { skip },
  async (t) => {
    const busybox = ['/bin/busybox', '/usr/bin/busybox'].find(
      (file) => existsSync(file) && isStaticProgram(file),
    )
    if (busybox === undefined) return t.skip('no static program is at hand')
    const isolation = { view: 'program', directory: own.directory, network: false } as const
    const { output } = await own.containment.run([busybox, 'find', '/', '-xdev'], own.options({ isolation }))
    assert.doesNotMatch(output.toString(), /\/(?:etc|usr\/lib|proc)\/|\/dev\/(?!null$)/m)
  },
)

test(
  'a program in namespaces reaches a listener of the machine only if the network is allowed',
  { skip },
  async () => {
    await using listening = createServer((socket) => socket.end('reached'))
    await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve))
    const address = listening.address()
    assert.ok(address !== null && typeof address === 'object')
    const script = `exec perl -MIO::Socket::INET -e 'my $c = IO::Socket::INET->new(PeerAddr => "127.0.0.1:${address.port}") or die "$!\\n"; print <$c>'`
    const isolation = { view: 'system', directory: own.directory } as const
    assert.equal((await own.shell(script, { isolation: { ...isolation, network: true } })).output, 'reached')
    const alone = await own.shell(script, { isolation: { ...isolation, network: false } })
    assert.match(alone.errorOutput, /unreachable|refused/)
  },
)

test('a fork bomb ends at the number of processes, and nothing of it is left', { skip }, async (t) => {
  if (!own.containment.protections.some(({ name, by }) => name === 'processes' && by.includes('number')))
    return t.skip('this machine does not bound the number of processes')
  const bomb = 'f() { f | f & }; f; sleep 1; echo over'
  const { errorOutput } = await own.shell(bomb, { isolation: undefined, processes: 50 })
  assert.match(errorOutput, /Cannot fork|Resource temporarily unavailable/)
  assert.deepEqual(processesIn(own.directory), [])
})

test(
  'a script that hands over to what it does not see runs in limits alone, with a warning',
  { skip },
  async () => {
    const [tool, real] = [path.join(own.scratch, 'tool'), path.join(own.scratch, 'real')]
    writeFileSync(real, '#!/bin/sh\necho real\n', { mode: 0o755 })
    writeFileSync(tool, `#!/bin/sh\nexec ${real} "$@"\n`, { mode: 0o755 })
    const isolation = {
      view: 'program',
      directory: own.directory,
      network: false,
      trialArguments: ['version'],
    } as const
    for (const _ of [1, 2]) {
      const { output } = await own.containment.run([tool], own.options({ isolation }))
      assert.equal(output.toString(), 'real\n')
    }
    assert.equal(own.warnings.length, 1)
    assert.match(own.warnings[0] ?? '', /tool does not work in namespaces.*real: not found/)
  },
)

test(
  'what is hidden in a directory of programs is covered, but for a program in it that is run',
  { skip },
  async () => {
    const directory = path.join(own.scratch, 'tools')
    mkdirSync(path.join(directory, 'hidden/bin'), { recursive: true })
    writeFileSync(path.join(directory, 'hidden/secret'), 'sesame')
    const tool = path.join(directory, 'hidden/bin/tool')
    writeFileSync(tool, `#!/bin/sh\nls ${directory} ${directory}/hidden\n`, { mode: 0o755 })
    const programDirectories = [...pathDirectories(process.env['PATH']), directory]
    await using bed = await startContainment({ programDirectories, hidden: [path.join(directory, 'hidden')] })
    const { output } = await bed.containment.run([tool], bed.options())
    assert.equal(output.toString(), `${directory}:\nhidden\n\n${directory}/hidden:\nbin\n`)
  },
)

test('what is active is said of each protection, and of the others what to do', () => {
  for (const { containment } of [own, restricted, bare]) {
    assert.deepEqual(
      containment.protections.map(({ name }) => name),
      [
        'memory',
        'processor time',
        'end with the service',
        'out-of-memory order',
        'files',
        'network',
        'processes',
      ],
    )
    for (const { active, by, lacks, remedy } of containment.protections) {
      assert.equal(active, by !== '')
      assert.equal(lacks === '', remedy === '')
      assert.ok(active || lacks !== '')
    }
  }
  const files = bare.containment.protections.find(({ name }) => name === 'files')
  assert.equal(
    files?.lacks,
    'no namespaces: program unshare, which is part of util-linux, is missing; no Landlock: program perl is missing',
  )
})

test('nothing of runs is left', () => {
  assert.deepEqual(readdirSync(path.join(own.scratch, 'own/running')), [])
  assert.deepEqual(
    readdirSync(path.join(own.scratch, 'own')).filter((name) => name.startsWith('mounts-')),
    [],
  )
  const groups = `/sys/fs/cgroup/memory/wadi-${process.pid}-`
  assert.ok(!readFileSync('/proc/self/mountinfo', 'utf8').includes(own.scratch))
  assert.deepEqual(
    readdirIf(path.dirname(groups)).filter((name) => name.startsWith('run-')),
    [],
  )
})

/** Processes that work in a directory. */
function processesIn(directory: string): string[] {
  return readdirSync('/proc').filter((pid) => {
    try {
      return readlinkSync(`/proc/${pid}/cwd`) === directory
    } catch {
      return false
    }
  })
}

function readdirIf(directory: string): string[] {
  return existsSync(directory) ? readdirSync(directory) : []
}
