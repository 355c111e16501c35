interface Props {
  label: string;
  text: string;
  /** Breaks long lines instead of scrolling sideways. */
  wrapped?: boolean;
  className?: string;
}

export function CodeBlock({ label, text, wrapped = false, className = '' }: Props) {
  return (
    <section
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: people without a mouse scroll it with the arrow keys
      tabIndex={0}
      className={`overflow-auto rounded-md bg-raised p-3 font-mono text-xs ${className}`}
    >
      <pre className={`font-mono ${wrapped ? 'whitespace-pre-wrap break-all' : ''}`}>{text}</pre>
    </section>
  );
}
