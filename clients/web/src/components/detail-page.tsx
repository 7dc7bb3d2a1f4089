import { Stack } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ErrorState } from './error-state.tsx'
import { Loading } from './loading.tsx'
import { PageTitle } from './page-title.tsx'
import { t } from '../language/t.ts'

interface DetailPageProps {
  /** The link back to the list. */
  back: ReactNode
  title: string
  answer: UseQueryResult
  /** The elements next to the title. */
  beside: ReactNode
  /** The contents of the page; nothing before they are read. */
  children: ReactNode
}

/**
 * The page of one thing of a list: it has its heading also while the thing is read, and when that failed. What is shown, and what is
 * typed into it, stays when reading it again fails.
 */
export function DetailPage({ back, title, answer, beside, children }: DetailPageProps) {
  return (
    <Stack>
      <div data-screen-only>{back}</div>
      <PageTitle title={title}>{beside}</PageTitle>
      {answer.isPending && <Loading />}
      {answer.isError && (
        <ErrorState
          title={t('{name} cannot be shown', { name: title })}
          error={answer.error}
          retry={() => void answer.refetch()}
        />
      )}
      {children}
    </Stack>
  )
}
