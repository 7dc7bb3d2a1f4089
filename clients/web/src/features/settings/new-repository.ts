import type { MessageInitShape } from '@bufbuild/protobuf'
import type { CreateRepositoryRequestSchema } from '@wadi/protocol/gen/wadi/api_gateway/v1/repository_service_pb.ts'

/** What the form of a new repository asks for. */
export interface NewRepository {
  repoUrl: string
  project: string
  /** What the credentials are for. */
  read: boolean
  write: boolean
  credentials: 'password' | 'ssh' | 'none'
  username: string
  password: string
  sshPrivateKey: string
  sshKnownHosts: string
}

/** The form before anything is filled in. */
export const emptyRepository: NewRepository = {
  repoUrl: '',
  project: '',
  read: true,
  write: true,
  credentials: 'password',
  username: '',
  password: '',
  sshPrivateKey: '',
  sshKnownHosts: '',
}

/** What is wrong with the fields, by field; the server checks everything else. */
export function newRepositoryErrors(values: NewRepository): Partial<Record<keyof NewRepository, string>> {
  const { repoUrl, read, write, credentials, password, sshPrivateKey } = values
  return {
    ...(repoUrl.trim() === '' && { repoUrl: 'The URL is required' }),
    ...(!read && !write && { write: 'Choose at least one' }),
    ...(credentials === 'password' && password === '' && { password: 'A password or a token is required' }),
    ...(credentials === 'ssh' && sshPrivateKey.trim() === '' && { sshPrivateKey: 'The key is required' }),
  }
}

/** The requests of a filled-in form: one for each use, with the credentials of the chosen kind alone. */
export function repositoryRequests(
  values: NewRepository,
): MessageInitShape<typeof CreateRepositoryRequestSchema>[] {
  const { username, password, sshPrivateKey, sshKnownHosts } = values
  const secrets = {
    password: { username: username.trim(), password },
    ssh: { sshPrivateKey: `${sshPrivateKey.trim()}\n`, sshKnownHosts },
    none: {},
  }
  const shared = {
    repoUrl: values.repoUrl.trim(),
    project: values.project.trim(),
    ...secrets[values.credentials],
  }
  return [values.read && { ...shared, write: false }, values.write && { ...shared, write: true }].filter(
    (request) => request !== false,
  )
}
