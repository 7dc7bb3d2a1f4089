import { CloseButton, TextInput } from '@mantine/core'
import { useThrottledCallback } from '@mantine/hooks'
import { SearchIcon } from '@primer/octicons-react/SearchIcon'
import { useState } from 'react'
import { t } from '../language/t.ts'

/** The server is asked at once, and while somebody types fast at most as often as this. */
const narrowEveryMs = 100

interface TextFilterProps {
  /** The parts of an item that are searched. */
  label: string
  text: string | undefined
  /** Narrows the list; undefined for no text. */
  narrow: (text: string | undefined) => void
}

/** A field for a text that narrows a list while it is typed. */
export function TextFilter({ label, text = '', narrow }: TextFilterProps) {
  const [typed, setTyped] = useState(text)
  const [shown, setShown] = useState(text)
  // The address changed otherwise than by typing here: by a link or by going back.
  if (shown !== text) {
    setShown(text)
    setTyped(text)
  }
  const apply = useThrottledCallback((value: string) => {
    setShown(value)
    narrow(value || undefined)
  }, narrowEveryMs)
  const change = (value: string) => {
    setTyped(value)
    apply(value)
  }
  return (
    <TextInput
      aria-label={label}
      placeholder={label}
      leftSection={<SearchIcon />}
      value={typed}
      onChange={({ currentTarget }) => change(currentTarget.value)}
      rightSection={
        typed !== '' && <CloseButton size="sm" aria-label={t('Clear the text')} onClick={() => change('')} />
      }
      flex="2 1 220px"
      maw={{ xs: 320 }}
    />
  )
}
