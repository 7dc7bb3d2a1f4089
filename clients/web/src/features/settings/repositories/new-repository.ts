import type { MessageInitShape } from '@bufbuild/protobuf'
import type { Repository } from '@wadi/protocol/gen/wadi/repositories/v1/repositories_pb.ts'
import type { CreateRepositoryRequestSchema } from '@wadi/protocol/gen/wadi/api_gateway/v1/repository_service_pb.ts'
import { t } from '../../../language/t.ts'

/** The fields in the form of a new repository. */
export interface NewRepository {
  repoUrl: string
  project: string
  /** The uses of the credentials. */
  read: boolean
  write: boolean
  credentials: 'password' | 'ssh' | 'none'
  username: string
  password: string
  sshPrivateKey: string
  sshKnownHosts: string
  /** True for the credentials of all repositories below the URL. */
  isPrefix: boolean
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
  isPrefix: false,
}

/** Returns the form of stored credentials, without the secrets, which the server shows nobody. */
export function storedRepository(
  { repoUrl, project, username, credentials, isPrefix }: Repository,
  write: boolean,
): NewRepository {
  const kinds: Partial<Record<string, NewRepository['credentials']>> = { none: 'none', 'ssh-key': 'ssh' }
  return {
    ...emptyRepository,
    repoUrl,
    project,
    username,
    isPrefix,
    read: !write,
    write,
    credentials: kinds[credentials] ?? 'password',
  }
}

/** The projects for which the caller may store credentials of each use; an empty name stands for all projects. */
export interface AllowedProjects {
  read: readonly string[]
  write: readonly string[]
}

/** The project that the form begins with: none, or the one for which the caller may store credentials when it is the only one. */
export function firstProject({ read, write }: AllowedProjects): string {
  const [project = '', ...others] = new Set([...read, ...write])
  return others.length === 0 ? project : ''
}

/** Returns the errors of the fields, by field; the server checks everything else. */
export function newRepositoryErrors(
  values: NewRepository,
  allowed: AllowedProjects,
): Partial<Record<keyof NewRepository, string>> {
  const { repoUrl, read, write, project, credentials, password, sshPrivateKey } = values
  const mayForAll = (!read || allowed.read.includes('')) && (!write || allowed.write.includes(''))
  return {
    ...(repoUrl.trim() === '' && { repoUrl: t('The URL is required') }),
    ...(project.trim() === '' &&
      !mayForAll && { project: t('You may store this for a project alone: name it') }),
    ...(!read && !write && { write: t('Choose at least one') }),
    ...(credentials === 'password' &&
      password === '' && { password: t('A password or a token is required') }),
    ...(credentials === 'ssh' && sshPrivateKey.trim() === '' && { sshPrivateKey: t('The key is required') }),
  }
}

/**
 * The requests of a filled-in form: one for each use, with the credentials of the chosen kind alone.
 * @param replaced the version of stored credentials in whose place they are; empty for new ones
 */
export function repositoryRequests(
  values: NewRepository,
  replaced = '',
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
    ...(values.isPrefix && { isPrefix: true }),
    ...(replaced !== '' && { upsert: true, keepOthers: true, version: replaced }),
  }
  return [values.read && { ...shared, write: false }, values.write && { ...shared, write: true }].filter(
    (request) => request !== false,
  )
}
