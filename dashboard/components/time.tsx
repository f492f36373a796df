/** Formats in the language of the browser. */
const dayForm = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' })
const utcDayForm = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' })
const exactForm = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'long' })

/** The day of a time (RFC 3339) in the time zone of the user, with the exact time when it is pointed at. */
export const Day = ({ time }: { time: string }) => {
  const date = new Date(time)
  return (
    <time dateTime={time} title={exactForm.format(date)}>
      {dayForm.format(date)}
    </time>
  )
}

/** A day in UTC, `yyyy-mm-dd`. */
export const UtcDay = ({ day }: { day: string }) => (
  <time dateTime={day} title={`${day} in UTC`}>
    {utcDayForm.format(new Date(`${day}T00:00:00Z`))}
  </time>
)
