import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { goProgramMissing } from '@wadi/testing/go-program.ts'
import { verifierPrograms } from '@wadi/testing/signature-verifiers/verifier-programs.ts'
import { buildGoProgram } from './go-program.ts'

// `npm run build:verifiers`: builds cosign, and Flux's and Argo CD's verification of signed commits, once for each machine and user.

const { flux, argoCd, cosign } = verifierPrograms

await buildGoProgram({
  program: flux,
  begins: "building Flux's verification of commits from its Go modules, about half a minute",
})
await buildGoProgram({
  program: cosign,
  package: 'github.com/sigstore/cosign/v3/cmd/cosign',
  begins: 'building cosign from its Go modules, about 4 minutes',
})
await buildGoProgram({
  program: argoCd,
  begins: "building Argo CD's verification of commits from its Go modules, about 3 minutes",
  linker: goProgramMissing(argoCd) === undefined ? '' : argoCdScripts(),
})

/** Returns the variables with the scripts by which Argo CD calls git and gpg; none where Go or the module is missing, which the build then reports. */
function argoCdScripts(): string {
  const module = 'github.com/argoproj/argo-cd/v3'
  const env = { ...process.env, GOWORK: 'off', GOTOOLCHAIN: 'auto' }
  const downloaded = spawnSync('go', ['mod', 'download', '-json', module], { cwd: argoCd.sources, env })
  if (downloaded.status !== 0) return ''
  const { Dir } = JSON.parse(downloaded.stdout.toString()) as { Dir: string }
  const script = (name: string) => readFileSync(path.join(Dir, 'hack', name), 'base64')
  return `-X main.gitVerifyWrapper=${script('git-verify-wrapper.sh')} -X main.gpgWrapper=${script('gpg-wrapper.sh')}`
}
