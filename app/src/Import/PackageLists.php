<?php

declare(strict_types=1);

namespace App\Import;

use RuntimeException;
use Symfony\Component\Process\Process;

/**
 * Apt's own lists in a directory of the site's: machines may have switched translations off, or compress their lists.
 *
 * Only the machine's Debian sources are asked; apt's settings for them (mirror, proxy, keys) are used as they are.
 */
final readonly class PackageLists
{
    /**
     * @param string $settings where the machine's sources are
     * @param string $apt      the program
     */
    public function __construct(
        private string $directory,
        private string $settings = '/etc/apt',
        private string $apt = '/usr/bin/apt-get',
    ) {}

    public function arePresent(): bool
    {
        return $this->files('_Packages') !== [] && $this->files('_Translation-en') !== [];
    }

    /** @throws RuntimeException with apt's own words */
    public function fetch(): void
    {
        if (!is_executable($this->apt)) {
            throw new RuntimeException(\sprintf('The items come from Debian\'s package lists, and %s is not here to fetch them. Use a Debian machine, or copy its lists into %s/lists.', $this->apt, $this->directory));
        }
        foreach (['', '/lists/partial', '/cache/archives/partial', '/sources'] as $part) {
            if (!is_dir($this->directory . $part)) {
                mkdir($this->directory . $part, recursive: true);
            }
        }
        $this->copySources();
        if (trim((string) file_get_contents($this->directory . '/sources.list')) === '' && glob($this->directory . '/sources/*') === []) {
            throw new RuntimeException(\sprintf('%s/sources.list and sources.list.d name no source of Debian packages.', $this->settings));
        }
        // Apt takes a relative directory as one below its own, not below ours.
        $absolute = (string) realpath($this->directory);
        $apt = new Process([
            $this->apt, 'update', '--quiet',
            '-o', 'Dir::State::lists=' . $absolute . '/lists',
            '-o', 'Dir::Cache=' . $absolute . '/cache',
            '-o', 'Dir::Etc::sourcelist=' . $absolute . '/sources.list',
            '-o', 'Dir::Etc::sourceparts=' . $absolute . '/sources',
            '-o', 'Acquire::Languages=en',
            '-o', 'Acquire::GzipIndexes=false',
            '-o', 'Acquire::IndexTargets::deb::DEP-11::DefaultEnabled=false',
            '-o', 'APT::Sandbox::User=',
        ], timeout: 300);
        $apt->run();
        if (!$apt->isSuccessful() || !$this->arePresent()) {
            throw new RuntimeException("apt could not fetch its package lists:\n" . trim($apt->getErrorOutput() . $apt->getOutput()));
        }
    }

    /** @return list<string> */
    public function files(string $suffix): array
    {
        $found = glob($this->directory . '/lists/*' . $suffix);
        $found = $found === false ? [] : $found;
        // The largest first: the release itself before its updates.
        usort($found, static fn(string $a, string $b): int => filesize($b) <=> filesize($a));

        return $found;
    }

    /** Other projects' sources may be slow, or hold no translations; a disc may not be in its drive. */
    private function copySources(): void
    {
        $old = $this->settings . '/sources.list';
        $lines = is_file($old) ? (array) file($old) : [];
        file_put_contents($this->directory . '/sources.list', implode('', array_filter($lines, static fn(mixed $line): bool => \is_string($line) && preg_match('/^\s*deb\s(?!.*\bcdrom:)/', $line) === 1)));
        foreach ((array) glob($this->settings . '/sources.list.d/*') as $file) {
            $text = (string) file_get_contents((string) $file);
            if (preg_match('~\.(?:list|sources)$~', (string) $file) === 1 && preg_match('~\bdebian-archive-keyring\b|\bdebian\.org\b|\b(?:bookworm|trixie)\b~', $text) === 1) {
                copy((string) $file, $this->directory . '/sources/' . basename((string) $file));
            }
        }
    }
}
