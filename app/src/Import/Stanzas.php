<?php

declare(strict_types=1);

namespace App\Import;

use RuntimeException;

/** The stanzas of a file in the control format that apt's lists have (deb822), one after the other. */
final readonly class Stanzas
{
    public function __construct(private string $file) {}

    /**
     * @param list<string> $fields to keep
     *
     * @return iterable<array<string, string>> by field; continuation lines without their leading blank
     */
    public function read(array $fields): iterable
    {
        $stream = @fopen($this->file, 'r');
        if ($stream === false) {
            throw new RuntimeException('Cannot read the list ' . $this->file);
        }
        $wanted = array_flip($fields);
        /** @var array<string, string> $stanza */
        $stanza = [];
        $current = null;
        while (($line = fgets($stream)) !== false) {
            $line = rtrim($line, "\r\n");
            if ($line === '') {
                if ($stanza !== []) {
                    yield $stanza;
                }
                $stanza = [];
                $current = null;
            } elseif ($line[0] === ' ' || $line[0] === "\t") {
                if ($current !== null) {
                    $stanza[$current] .= "\n" . substr($line, 1);
                }
            } else {
                [$name, $value] = explode(':', $line, 2) + [1 => ''];
                $current = isset($wanted[$name]) ? $name : null;
                if ($current !== null) {
                    $stanza[$current] = trim($value);
                }
            }
        }
        fclose($stream);
        if ($stanza !== []) {
            yield $stanza;
        }
    }
}
