import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { getCACertificates } from 'node:tls'

/** The way of a tool to the network, if an operator allows it. */
export interface OutsideWay {
  /** Variables with proxies, instead of those of this process. */
  readonly proxies: Readonly<Record<string, string>>
  /** Certificates in PEM that are trusted beside those of the machine; empty for none. */
  readonly authorities: string
}

const proxyNames = ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY']
const authorityNames = ['SSL_CERT_FILE', 'SSL_CERT_DIR']

/** Returns the way of tools to the network from this machine, for servers without settings. */
export function wayOfMachine(environment: NodeJS.ProcessEnv = process.env): OutsideWay {
  const valueOf = (name: string): string => environment[name.toLowerCase()] || environment[name] || ''
  const given = proxyNames.map((name): [string, string] => [name, valueOf(name)])
  return { proxies: Object.fromEntries(given.filter(([, value]) => value !== '')), authorities: '' }
}

/**
 * Returns the variables by which tools in Go and git take a way.
 * @param file where the authorities are written, if there are own ones
 */
export function wayVariables(
  { proxies, authorities }: OutsideWay,
  file: string,
  environment: NodeJS.ProcessEnv = process.env,
): Record<string, string> {
  const both = Object.entries(proxies).flatMap(([name, value]): [string, string][] => [
    [name, value],
    [name.toLowerCase(), value],
  ])
  const ofMachine = authorityNames.flatMap((name): [string, string][] => {
    const value = environment[name] ?? ''
    return value === '' ? [] : [[name, value]]
  })
  if (authorities === '') return Object.fromEntries([...both, ...ofMachine])
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `${[authorities, ...getCACertificates('system')].join('\n')}\n`)
  return { ...Object.fromEntries([...both, ...ofMachine]), SSL_CERT_FILE: file, GIT_SSL_CAINFO: file }
}

/** Returns what of a way must not be shown: users and passwords of proxies. */
export function waySecrets({ proxies }: OutsideWay): string[] {
  return Object.values(proxies).flatMap((proxy) => {
    const login = /^(?:[a-z0-9+.-]+:\/\/)?([^/@\s]+)@/i.exec(proxy)?.[1] ?? ''
    return login === '' ? [] : [login, ...login.split(':').slice(1)]
  })
}
