<?php

declare(strict_types=1);

namespace App\Import;

use RuntimeException;
use Symfony\Component\Process\Process;

/**
 * Apt's package lists, in a directory of the site: the machine's own may be compressed or have no translations.
 *
 * Only the machine's Debian sources are asked, by apt's own settings (mirror, proxy, keys).
 */
final readonly class PackageLists
{
    /**
     * @param string $settings directory of the machine's sources
     * @param string $apt      path of the program
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
            throw new RuntimeException(
                "The items come from Debian's package lists, and {$this->apt} is not here to fetch them."
                . " Use a Debian machine, or copy its lists into {$this->directory}/lists.",
            );
        }
        foreach (['', '/lists/partial', '/cache/archives/partial', '/sources'] as $part) {
            if (!is_dir($this->directory . $part)) {
                mkdir($this->directory . $part, recursive: true);
            }
        }
        $this->copySources();
        $sources = trim((string) file_get_contents($this->directory . '/sources.list'));
        if ($sources === '' && glob($this->directory . '/sources/*') === []) {
            $lists = "$this->settings/sources.list and sources.list.d";
            throw new RuntimeException("$lists name no source of Debian packages.");
        }
        // Apt takes a relative path as one below its own directory.
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
            $said = trim($apt->getErrorOutput() . $apt->getOutput());
            throw new RuntimeException("apt could not fetch its package lists:\n$said");
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
        $lines = array_filter(is_file($old) ? (array) file($old) : [], is_string(...));
        file_put_contents($this->directory . '/sources.list', preg_grep('/^\s*deb\s(?!.*\bcdrom:)/', $lines));
        foreach ((array) glob($this->settings . '/sources.list.d/*') as $file) {
            $text = (string) file_get_contents((string) $file);
            $isDebian = preg_match('~\bdebian-archive-keyring\b|\bdebian\.org\b|\b(?:bookworm|trixie)\b~', $text) === 1;
            if ($isDebian && preg_match('~\.(?:list|sources)$~', (string) $file) === 1) {
                copy((string) $file, $this->directory . '/sources/' . basename((string) $file));
            }
        }
    }
}
