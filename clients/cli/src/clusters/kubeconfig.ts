import { open } from 'node:fs/promises'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'
import { errorMessage } from '@wadi/errors/domain-error.ts'
import { isJsonObject } from '@wadi/fields/json-object.ts'
import { readYaml } from '@wadi/manifests/read-yaml.ts'
import { CommandFailure } from '../command-line/command-failure.ts'
import { listAt, textAt } from '@wadi/fields/json-fields.ts'

const maxFileBytes = 10 * 1024 * 1024

/**
 * Returns the address of the API of a context of kubectl, from the files of `$KUBECONFIG`, else `~/.kube/config`; of
 * several files the first that has the context and the first that has its cluster decide, as for kubectl.
 * @throws CommandFailure when no file has them
 */
export async function kubernetesServer(context: string, environment: NodeJS.ProcessEnv): Promise<string> {
  const paths = kubeconfigPaths(environment)
  const files = await Promise.all(paths.map(readKubeconfig))
  const entryOf = (list: string, name: string) =>
    files.flatMap((file) => listAt(file, list)).find((entry) => textAt(entry, 'name') === name)
  const found = entryOf('contexts', context)
  if (!found) {
    throw new CommandFailure(
      `${JSON.stringify(context)} is neither a URL nor a context of ${paths.join(', ')}; give the address of the cluster ` +
        'with --url',
    )
  }
  const cluster = textAt(found, 'context', 'cluster')
  const server = textAt(entryOf('clusters', cluster), 'cluster', 'server')
  if (server !== '') return server
  throw new CommandFailure(
    `context ${JSON.stringify(context)} of ${paths.join(', ')} refers to a cluster without a server; correct it or give --url`,
  )
}

function kubeconfigPaths(environment: NodeJS.ProcessEnv): string[] {
  const { KUBECONFIG: listed = '', HOME: home } = environment
  const paths = listed.split(delimiter).filter((path) => path !== '')
  return paths.length > 0 ? paths : [join(home || homedir(), '.kube', 'config')]
}

async function readKubeconfig(path: string) {
  try {
    await using file = await open(path)
    if ((await file.stat()).size > maxFileBytes) {
      throw new CommandFailure(`${path} is larger than ${maxFileBytes} bytes`)
    }
    return kubeconfigOf(await file.readFile('utf8'), path)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {}
    throw error
  }
}

function kubeconfigOf(text: string, path: string) {
  try {
    const content: unknown = readYaml(text, path).documents[0]?.value
    return isJsonObject(content) ? content : {}
  } catch (error) {
    throw new CommandFailure(`${errorMessage(error)}; correct it or give --url`, undefined, { cause: error })
  }
}
