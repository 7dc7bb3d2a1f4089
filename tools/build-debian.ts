import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import { debian, debianRootFile } from './release/debian-root.ts'

// `npm run build:debian`: a Debian with Node.js, npm and git of its own for tests of installations, once for each machine and user, as root on Debian.
// Takes 4 minutes on two idle cores.

const file = debianRootFile()
if (!existsSync(file)) build()
console.log(`Debian: ${existsSync(file) ? file : 'not built'}`)

function build(): void {
  mkdirSync(path.dirname(file), { recursive: true })
  const unfinished = `${file}.${process.pid}`
  const options = ['--quiet', '--variant=minbase', '--format=tar', '--dpkgopt=force-unsafe-io']
  const packages = `--include=${debian.packages.join(',')}`
  const made = spawnSync('mmdebstrap', [...options, packages, debian.suite, unfinished], { stdio: 'inherit' })
  if (made.error !== undefined) console.log('mmdebstrap is missing; install it with apt-get')
  if (made.status === 0) renameSync(unfinished, file)
  else process.exitCode = 1
  rmSync(unfinished, { force: true })
}
