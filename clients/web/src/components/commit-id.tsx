import { Code, CopyButton, Tooltip, UnstyledButton } from '@mantine/core'

/** A commit id in seven digits, which copies the whole one. */
export function CommitId({ sha, label }: { sha: string; label: string }) {
  if (sha === '') return null
  return (
    <CopyButton value={sha}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? 'Copied' : `Copy ${sha}`}>
          <UnstyledButton onClick={copy} aria-label={`${label} ${sha.slice(0, 7)}: copy`}>
            <Code>{sha.slice(0, 7)}</Code>
          </UnstyledButton>
        </Tooltip>
      )}
    </CopyButton>
  )
}
