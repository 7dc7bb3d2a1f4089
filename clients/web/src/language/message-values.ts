import type { ReactElement } from 'react'

/** The selectors of a plural, whose braces hold a text and no placeholder. */
type Selector = 'zero' | 'one' | 'two' | 'few' | 'many' | 'other' | '=0' | '=1'

/** The placeholders and tags of a message in the format of ICU, each with the type of its value. */
export type ValuesOf<Text extends string> = Tags<Text> & Placeholders<Text>

type Placeholders<Text extends string> = Text extends `${infer Before}{${infer Rest}`
  ? (Before extends `${string}${', plural,' | '}'} ${Selector} ` ? unknown : Placeholder<Rest>) &
      Placeholders<Rest>
  : unknown

type Placeholder<Rest extends string> = Rest extends `${infer Head}}${string}`
  ? Head extends `${infer Name}, ${string}`
    ? Readonly<Record<Name, number>>
    : Readonly<Record<Head, string>>
  : unknown

type Tags<Text extends string> = Text extends `${string}</${infer Name}>${infer Rest}`
  ? Readonly<Record<Name, ReactElement>> & Tags<Rest>
  : unknown

/** The further arguments for a message: its values, or nothing for a message without placeholders. */
export type ValueArguments<Text extends string> =
  unknown extends ValuesOf<Text> ? [] : [values: ValuesOf<Text>]
