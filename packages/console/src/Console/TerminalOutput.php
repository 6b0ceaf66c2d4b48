<?php

declare(strict_types=1);

namespace Larder\Console;

use Larder\Metrics\Printable;
use Symfony\Component\Console\Output\ConsoleOutput;
use Symfony\Component\Console\Output\StreamOutput;

/**
 * What the program writes, on stdout and stderr: each text is a Printable, and only colors of its own are no text.
 *
 * @internal
 */
final class TerminalOutput extends ConsoleOutput
{
    /** Cursor to the first place, and all behind it cleared. */
    private const HOME = "\e[H\e[J";

    public function __construct()
    {
        parent::__construct();
        $errors = $this->getErrorOutput();
        if ($errors instanceof StreamOutput) {
            $this->setErrorOutput(new class ($errors->getStream()) extends StreamOutput {
                /** @param string|iterable<mixed> $messages */
                public function write(string|iterable $messages, bool $newline = false, int $options = 0): void
                {
                    parent::write(TerminalOutput::all($messages), $newline, $options);
                }
            });
        }
    }

    /** Where it is a terminal: begins a screen anew. */
    public function home(): void
    {
        if ($this->isDecorated()) {
            parent::write(self::HOME, false, self::OUTPUT_RAW);
        }
    }

    /** @param string|iterable<mixed> $messages */
    public function write(string|iterable $messages, bool $newline = false, int $options = 0): void
    {
        parent::write(self::all($messages), $newline, $options);
    }

    /**
     * @param string|iterable<mixed> $messages
     *
     * @return list<string>
     */
    public static function all(string|iterable $messages): array
    {
        $all = \is_string($messages) ? [$messages] : iterator_to_array($messages, false);

        return array_map(Printable::lines(...), array_values(array_filter($all, \is_string(...))));
    }
}
