import { createHash } from 'node:crypto'
import { mkdir, mkdtempDisposable, realpath, writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { delimiter, join } from 'node:path'
import type { Containment } from '@wadi/containment/containment.ts'
import { fileIdentity } from '@wadi/containment/file-identity.ts'
import { findProgram } from '@wadi/containment/find-program.ts'
import { FailedPreconditionError, InvalidInputError } from '@wadi/errors/domain-error.ts'
import { withContext } from '@wadi/errors/with-context.ts'
import { objectStream } from '@wadi/gates/programs/object-stream.ts'
import { programFindings } from '@wadi/gates/programs/program-findings.ts'
import type { Validator } from '@wadi/gates/programs/read-validators.ts'
import { fileDigest } from '@wadi/renderer-tools/tool-program.ts'
import { LRUCache } from 'lru-cache'
import pLimit from 'p-limit'
import type { Validators } from './validators.ts'

/** The surroundings of validators. */
export interface ValidatorSurroundings {
  readonly containment: Containment
  /** The directories in which programs are searched. */
  readonly programDirectories: readonly string[]
  /** The directory for what they run in. */
  readonly sandboxRoot: string
}

const maxOutputBytes = 1024 ** 2
const maxFileBytes = 64 * 1024 ** 2
const maxProcesses = 512

/** The SHA-256 of programs, by the identity of their files. */
const digests = new LRUCache<string, string, string>({
  max: 100,
  fetchMethod: (_identity, _stale, { context: file }) => fileDigest(file),
})

/** Opens the programs of an operator; each runs contained as a renderer, with the objects on its standard input. */
export function openValidators(all: readonly Validator[], around: ValidatorSurroundings): Validators {
  const byName = new Map(all.map((validator) => [validator.name, validator]))
  const limit = pLimit(availableParallelism())
  const identityOf = async (names: readonly string[]): Promise<string> => {
    const identities = names.map(async (name) => {
      const validator = byName.get(name)
      return [name, validator ?? null, validator === undefined ? '' : await digestOf(validator, around)]
    })
    return createHash('sha256')
      .update(JSON.stringify(await Promise.all(identities)))
      .digest('base64url')
  }
  return {
    identity: () => identityOf([...byName.keys()]),
    identityOf,
    check: async (manifests, { names, severity }, signal) => {
      const found = names.map((name) =>
        withContext(`gate programs/${name}`, async () => {
          const validator = byName.get(name)
          if (validator === undefined)
            throw new InvalidInputError('WADI_VALIDATORS of repo-server has no program of this name')
          const stream = objectStream(manifests, validator.objects)
          if (stream === undefined) return []
          const end = await limit(() => run(validator, stream.text, around, signal))
          return programFindings(validator, end, stream, severity)
        }),
      )
      // Each is ended before an error is thrown.
      const settled = await Promise.allSettled(found)
      return settled.flatMap((one) => {
        if (one.status === 'rejected') throw one.reason
        return one.value
      })
    },
  }
}

/** Returns the SHA-256 of a program, which is the same on every machine; empty if it is not installed. */
async function digestOf(validator: Validator, around: ValidatorSurroundings): Promise<string> {
  const file = fileOf(validator, around)
  const identity = file === undefined ? undefined : fileIdentity(file)
  if (file === undefined || identity === undefined) return ''
  // A program may be run without being read.
  const digest = await digests.fetch(identity, { context: file }).catch(() => undefined)
  return digest ?? identity
}

function fileOf(
  { command: [program] }: Validator,
  { programDirectories }: ValidatorSurroundings,
): string | undefined {
  return program.startsWith('/') ? program : findProgram(program, programDirectories)
}

async function run(
  validator: Validator,
  objects: string,
  around: ValidatorSurroundings,
  signal: AbortSignal,
): Promise<{ exitCode: number; output: string; errorOutput: string }> {
  const { containment, programDirectories, sandboxRoot } = around
  const { name, command, timeoutSeconds } = validator
  const [program, ...args] = command
  const file = fileOf(validator, around)
  if (file === undefined || fileIdentity(file) === undefined)
    throw new FailedPreconditionError(`repo-server has no program ${program}; install it there`)
  await mkdir(sandboxRoot, { recursive: true })
  await using made = await mkdtempDisposable(join(await realpath(sandboxRoot), 'validator-'))
  const directory = made.path
  const input = join(directory, 'objects.yaml')
  const home = join(directory, 'home')
  await mkdir(home)
  await writeFile(input, objects, { mode: 0o600 })
  // The shell opens the file, so that a program that reads nothing of it ends as it would with a pipe.
  const {
    exitCode,
    signal: killedBy,
    output,
    errorOutput,
  } = await containment.run(
    ['/bin/sh', '-c', 'input=$1; shift; exec "$@" <"$input"', 'sh', input, file, ...args],
    {
      shownAs: name,
      cwd: directory,
      environment: { PATH: programDirectories.join(delimiter), HOME: home, TMPDIR: home, TZ: 'UTC' },
      timeoutMs: timeoutSeconds * 1000,
      graceMs: 0,
      outputBytes: maxOutputBytes,
      signal,
      clean: (text) => text.replaceAll(directory, ''),
      cpuSeconds: timeoutSeconds + 1,
      processes: maxProcesses,
      fileBytes: maxFileBytes,
      isolation: { view: 'system', directory, network: false, otherPrograms: [file] },
    },
  )
  if (killedBy !== undefined) throw new InvalidInputError(`it was killed by ${killedBy}`)
  return { exitCode, output: output.toString(), errorOutput }
}
