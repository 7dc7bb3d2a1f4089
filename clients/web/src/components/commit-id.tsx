import { Code, Group, Tooltip, UnstyledButton } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import { copyText } from './copy-text.ts'
import { ForgeLink } from './forge-links.tsx'
import { t } from '../language/t.ts'

interface CommitIdProps {
  sha: string
  label: string
  /** The repository that it is in, for a link to its forge; empty for a commit that is in none, such as the archive of a chart. */
  repoUrl: string
}

/** A commit id in seven digits, which copies the whole one, with a link to its page. */
export function CommitId({ sha, label, repoUrl }: CommitIdProps) {
  const copy = useMutation({
    mutationFn: () => copyText(sha),
    // The whole one, to be copied by hand.
    onError: () =>
      notifications.show({ color: 'red', title: t('Nothing is copied'), message: sha, autoClose: false }),
  })
  if (sha === '') return null
  const short = sha.slice(0, 7)
  return (
    <Group gap={2} wrap="nowrap" display="inline-flex">
      <Tooltip label={copy.isSuccess ? t('Copied') : t('Copy {name}', { name: sha })}>
        <UnstyledButton
          onClick={() => copy.mutate()}
          onMouseLeave={copy.reset}
          aria-label={t('{name}: copy', { name: `${label} ${short}` })}
        >
          <Code>{short}</Code>
        </UnstyledButton>
      </Tooltip>
      <ForgeLink repoUrl={repoUrl} place={{ commit: sha }} label={`${label} ${short}`} />
    </Group>
  )
}
