import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, renameSync, rmSync, existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { planeProgram, planeSources } from '@wadi/testing/kubernetes-plane/plane-program.ts'

// `npm run build:plane`: builds etcd, kube-apiserver and kube-controller-manager into one program, once for each machine and user.
// Takes 6 minutes on two idle cores, 2 GB of memory and, in Go's caches, 5 GB of disk. The last line says what became of it; the
// exit code is 1 when there is no program, and what needs one is then skipped.

const maxMinutes = 40
const program = planeProgram()
if (existsSync(program)) {
  console.log(`control plane: ${program}`)
} else {
  const failure = await build()
  console.log(failure === undefined ? `control plane: ${program}` : `control plane: not built: ${failure}`)
  if (failure !== undefined) process.exitCode = 1
}

/** Returns why there is no program. */
async function build(): Promise<string | undefined> {
  const version = /k8s\.io\/kubernetes v(\d+\.(\d+)\.\d+)/.exec(
    readFileSync(path.join(planeSources, 'go.mod'), 'utf8'),
  )
  if (version === null) throw new Error('go.mod names no version of k8s.io/kubernetes')
  const [, full = '', minor = ''] = version
  const folder = path.dirname(program)
  mkdirSync(folder, { recursive: true })
  const unfinished = `${program}.${process.pid}`
  const variable = 'k8s.io/component-base/version.git'
  const versions = `-X ${variable}Version=v${full} -X ${variable}Major=1 -X ${variable}Minor=${minor}`
  console.log(`building Kubernetes ${full} from its Go modules, about 6 minutes`)
  const go = spawn(
    'nice',
    [
      '-n',
      '15',
      'go',
      'build',
      '-mod=readonly',
      '-trimpath',
      '-ldflags',
      `-s -w ${versions}`,
      '-o',
      unfinished,
      '.',
    ],
    {
      cwd: planeSources,
      env: { ...process.env, CGO_ENABLED: '0', GOWORK: 'off', GOFLAGS: '-buildvcs=false' },
      stdio: ['ignore', 'ignore', 'pipe'],
      timeout: maxMinutes * 60_000,
    },
  )
  let output = ''
  go.stderr.setEncoding('utf8').on('data', (text: string) => {
    output += text
    process.stderr.write(text)
  })
  try {
    const [code, signal] = await once(go, 'close')
    if (code === 0) {
      renameSync(unfinished, program)
      removeOthers(folder)
      return undefined
    }
    if (signal !== null)
      return signal === 'SIGTERM' ? `no end after ${maxMinutes} minutes` : `ended by ${signal}`
    // By `nice`, for a program that it does not find.
    return code === 127 ? 'Go is missing; install Go 1.26 or newer' : lastLine(output)
  } catch (error) {
    return String(error)
  } finally {
    rmSync(unfinished, { force: true })
  }
}

/** Programs of other sources are of no use to anybody who has these. */
function removeOthers(folder: string): void {
  for (const name of readdirSync(folder)) {
    const file = path.join(folder, name)
    if (/^plane-[0-9a-f]+$/.test(name) && file !== program) rmSync(file, { force: true })
  }
}

function lastLine(output: string): string {
  return output.trim().split('\n').at(-1) ?? 'the build says nothing'
}
