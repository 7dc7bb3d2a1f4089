import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@connectrpc/connect-query'
import { keepPreviousData } from '@tanstack/react-query'
import { ApplicationService } from '@wadi/protocol/gen/wadi/api_gateway/v1/application_service_pb.ts'
import { useState } from 'react'
import type { ApplicationName } from '../application-name.ts'
import { t } from '../../../language/t.ts'

const typingPauseMs = 150
const maxOffered = 20
const maxTextLength = 256

interface OtherApplicationProps {
  name: ApplicationName
  /** The dry repository whose Applications are offered before anything is typed. */
  repoUrl: string
  /** `namespace/name`; undefined for the Application itself. */
  chosen: string | undefined
  choose: (other: string | undefined) => void
}

/** Chooses the Application that one is compared with: itself, one of the same dry repository, or any other by its name. */
export function OtherApplication({ name, repoUrl, chosen, choose }: OtherApplicationProps) {
  const own = `${name.namespace}/${name.name}`
  const value = chosen ?? own
  const [typed, setTyped] = useState('')
  const [text] = useDebouncedValue(typed.trim().slice(0, maxTextLength), typingPauseMs)
  const isSearch = text !== '' && text !== value
  const answer = useQuery(
    ApplicationService.method.searchApplications,
    { filter: isSearch ? { text } : { repositories: [repoUrl] }, limit: maxOffered },
    { placeholderData: keepPreviousData },
  )
  const found = answer.data?.applications.map((one) => `${one.namespace}/${one.name}`) ?? []
  return (
    <Select
      label={t('Application')}
      description={t('This one, or that of another environment')}
      data={[...new Set([own, value, ...found])]}
      value={value}
      onChange={(next) => choose(next === null || next === own ? undefined : next)}
      onSearchChange={setTyped}
      // The server has searched paths and repositories, too.
      filter={({ options }) => options}
      allowDeselect={false}
      searchable
    />
  )
}
