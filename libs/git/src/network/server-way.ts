import type { GitCredentials } from '../remote/credentials.ts'

/** The trust in a server and the proxy to it, for every caller. */
export type ServerWay = Pick<
  GitCredentials,
  'insecureSkipTlsVerify' | 'tlsCaCertificate' | 'tlsClientCertificate' | 'tlsClientKey' | 'proxy' | 'noProxy'
>

/**
 * Returns how a server is reached that belongs to a repository, such as the API of its forge: on the repository's own host as git
 * does, elsewhere without the client certificate, and what is trusted of that host takes precedence.
 * @param own what the repository is reached with
 * @param trusted what is trusted of the server's host, for repositories that say nothing else
 */
export function wayBeside(own: GitCredentials, trusted: GitCredentials, isOwnHost: boolean): ServerWay {
  const {
    insecureSkipTlsVerify,
    tlsCaCertificate = '',
    tlsClientCertificate,
    tlsClientKey,
    proxy,
    noProxy,
  } = own
  const { tlsCaCertificate: ofHost = '' } = trusted
  const authorities = isOwnHost ? tlsCaCertificate || ofHost : ofHost || tlsCaCertificate
  return {
    ...(insecureSkipTlsVerify && { insecureSkipTlsVerify }),
    ...(authorities !== '' && { tlsCaCertificate: authorities }),
    ...(isOwnHost && tlsClientCertificate && { tlsClientCertificate }),
    ...(isOwnHost && tlsClientKey && { tlsClientKey }),
    ...(proxy && { proxy }),
    ...(noProxy && { noProxy }),
  }
}
