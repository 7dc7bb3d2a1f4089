import { Alert, List } from '@mantine/core'
import { serverText } from './given-text.tsx'
import { AlertIcon } from '@primer/octicons-react/AlertIcon'

/** Warnings as a list; nothing when there are none. */
export function Warnings({ title, texts }: { title: string; texts: readonly string[] }) {
  if (texts.length === 0) return null
  return (
    <Alert color="orange" icon={<AlertIcon />} title={title}>
      <List size="sm">
        {texts.map((text) => (
          <List.Item key={text} style={{ overflowWrap: 'anywhere' }}>
            {serverText(text)}
          </List.Item>
        ))}
      </List>
    </Alert>
  )
}
