import { Center, Stack, Text, ThemeIcon, Title } from '@mantine/core'
import type { ReactNode } from 'react'

interface EmptyStateProps {
  icon: ReactNode
  title: string
  /** The reason why the list is empty, and what to do about it. */
  text: ReactNode
  /** The next step: a button or a link. */
  children?: ReactNode
}

/** Says why there is nothing to show, and what the next step is. */
export function EmptyState({ icon, title, text, children }: EmptyStateProps) {
  return (
    <Center py={64} px="md">
      <Stack align="center" maw={520} ta="center">
        <ThemeIcon variant="default" size={64} radius="xl" aria-hidden>
          {icon}
        </ThemeIcon>
        <Title order={2} size="h3">
          {title}
        </Title>
        <Text c="dimmed" component="div">
          {text}
        </Text>
        {children}
      </Stack>
    </Center>
  )
}
