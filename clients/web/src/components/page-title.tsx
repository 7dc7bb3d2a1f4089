import { Group, Title } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { visibleText } from '../words/visible-text.ts'
import { GivenText } from './given-text.tsx'

/** The heading of a page with what belongs beside it; it names the tab of the browser too. */
export function PageTitle({ title, children }: { title: string; children?: ReactNode }) {
  useDocumentTitle(`${visibleText(title)} – Wadi`)
  return (
    <Group justify="space-between" mb="xs" gap="sm">
      <Title order={1} size="h2" style={{ overflowWrap: 'anywhere' }}>
        <GivenText text={title} />
      </Title>
      <Group gap="sm">{children}</Group>
    </Group>
  )
}
