import { ActionIcon, Tooltip } from '@mantine/core'
import { useQuery } from '@connectrpc/connect-query'
import { skipToken } from '@tanstack/react-query'
import { LinkExternalIcon } from '@primer/octicons-react/LinkExternalIcon'
import { RepositoryService } from '@wadi/protocol/gen/wadi/api_gateway/v1/repository_service_pb.ts'
import { t } from '../language/t.ts'

/** The parts of a repository that a forge shows. */
type ForgePlace =
  | { commit: string }
  | { branch: string }
  | { directory: string; sha: string }
  | { file: string; sha: string; line: number }

interface ForgeLinkProps {
  /** Empty for none. */
  repoUrl: string
  place: ForgePlace
  /** The thing that it shows, for example `dry commit 1234567`. */
  label: string
}

/** A link to the page of a commit, a branch, a directory or a file; nothing where the forge is not known. */
export function ForgeLink({ repoUrl, place, label }: ForgeLinkProps) {
  const { data } = useQuery(
    RepositoryService.method.getRepositoryPages,
    repoUrl === '' ? skipToken : { repoUrl },
    // It changes with the stored credentials alone.
    { staleTime: Infinity },
  )
  const address = data ? addressOf(data, place) : ''
  if (!/^https?:\/\//.test(address)) return null
  return (
    <Tooltip label={t('Show {name} on the forge', { name: label })}>
      <ActionIcon
        component="a"
        href={address}
        target="_blank"
        rel="noreferrer"
        variant="subtle"
        size={24}
        style={{ verticalAlign: 'middle' }}
        aria-label={t('{name}: show on the forge', { name: label })}
      >
        <LinkExternalIcon size={14} />
      </ActionIcon>
    </Tooltip>
  )
}

type Pages = Readonly<Record<'commit' | 'branch' | 'file' | 'directory' | 'line', string>>

function addressOf(pages: Pages, place: ForgePlace): string {
  if ('commit' in place) return filled(pages.commit, { sha: place.commit })
  if ('branch' in place) return filled(pages.branch, { branch: place.branch })
  if ('directory' in place) return filled(pages.directory, { sha: place.sha, path: place.directory })
  const file = filled(pages.file, { sha: place.sha, path: place.file })
  return place.line > 0 ? `${file}${filled(pages.line, { line: String(place.line) })}` : file
}

/** An address with its parts; empty when one of them is. */
function filled(page: string, parts: Readonly<Record<string, string>>): string {
  if (Object.values(parts).includes('')) return ''
  return page.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    (parts[name] ?? '').split('/').map(encodeURIComponent).join('/'),
  )
}
