<?php

declare(strict_types=1);

namespace App\Tests\Import;

use App\Import\PackageLists;
use Larder\Testbed\TemporaryDirectory;
use PHPUnit\Framework\Attributes\CoversClass;
use PHPUnit\Framework\TestCase;
use RuntimeException;

/** With a stand-in for apt-get: nothing here asks the network. */
#[CoversClass(PackageLists::class)]
final class PackageListsTest extends TestCase
{
    private const MAKES_LISTS = 'for i in "$@"; do case "$i" in Dir::State::lists=*) d="${i#*=}"; esac; done; echo '
        . 'longer > "$d/a_Packages"; echo x > "$d/b_Packages"; echo x > "$d/a_i18n_Translation-en"';

    private TemporaryDirectory $directory;

    protected function setUp(): void
    {
        $this->directory = new TemporaryDirectory();
        mkdir($this->directory->path . '/etc/sources.list.d', recursive: true);
    }

    protected function tearDown(): void
    {
        $this->directory->remove();
    }

    public function testOldSourcesAreUsedWithoutDiscs(): void
    {
        $this->write(
            'etc/sources.list',
            "# a note\ndeb cdrom:[Debian]/ bookworm main\ndeb http://mirror.example/debian bookworm main\ndeb-src "
                . "http://mirror.example/debian bookworm main\n",
        );
        $lists = $this->lists(self::MAKES_LISTS);
        self::assertFalse($lists->arePresent());
        $lists->fetch();

        self::assertTrue($lists->arePresent());
        self::assertStringEqualsFile(
            $this->directory->path . '/own/sources.list',
            "deb http://mirror.example/debian bookworm main\n",
        );
        self::assertSame(
            ['a_Packages', 'b_Packages'],
            array_map(basename(...), $lists->files('_Packages')),
            'the largest first',
        );
    }

    public function testOnlyDebiansSourcesAreUsed(): void
    {
        $this->write(
            'etc/sources.list.d/debian.sources',
            "Types: deb\nURIs: http://deb.debian.org/debian\nSuites: stable\n",
        );
        $this->write('etc/sources.list.d/other.sources', "Types: deb\nURIs: http://other.example/\nSuites: stable\n");
        $this->write('etc/sources.list.d/debian.sources.off', "URIs: http://deb.debian.org/debian\n");
        $this->lists(self::MAKES_LISTS)->fetch();

        self::assertSame(['own/sources/debian.sources'], $this->directory->files('own/sources'));
    }

    public function testTellsAptWholePaths(): void
    {
        $this->write('etc/sources.list', "deb http://mirror.example/debian bookworm main\n");
        $before = (string) getcwd();
        chdir($this->directory->path);
        try {
            $apt = $this->program('printf "%s\\n" "$@" | grep ^Dir:: > told; ' . self::MAKES_LISTS);
            (new PackageLists('own', $this->directory->path . '/etc', $apt))->fetch();
        } finally {
            chdir($before);
        }

        $told = (array) file($this->directory->path . '/told', FILE_IGNORE_NEW_LINES);
        self::assertCount(4, $told);
        foreach ($told as $option) {
            self::assertStringContainsString(
                '=' . $this->directory->path . '/own/',
                (string) $option,
                'or apt writes below its own directories',
            );
        }
    }

    public function testSaysThatAptIsMissing(): void
    {
        $this->expectExceptionMessage($this->directory->path . '/no-apt is not here');
        (new PackageLists(
            $this->directory->path . '/own',
            $this->directory->path . '/etc',
            $this->directory->path . '/no-apt',
        ))->fetch();
    }

    public function testSaysThatThereIsNoSource(): void
    {
        $this->expectExceptionMessage('name no source of Debian packages');
        $this->lists(self::MAKES_LISTS)->fetch();
    }

    public function testTellsAptsOwnWords(): void
    {
        $this->write('etc/sources.list', "deb http://mirror.example/debian bookworm main\n");
        try {
            $this->lists('echo "E: The mirror is asleep" >&2; exit 100')->fetch();
            self::fail('It went on.');
        } catch (RuntimeException $exception) {
            self::assertStringContainsString('E: The mirror is asleep', $exception->getMessage());
        }
    }

    public function testSuccessWithoutListsIsNone(): void
    {
        $this->write('etc/sources.list', "deb http://mirror.example/debian bookworm main\n");
        $this->expectExceptionMessage('could not fetch');
        $this->lists('exit 0')->fetch();
    }

    private function lists(string $script): PackageLists
    {
        return new PackageLists(
            $this->directory->path . '/own',
            $this->directory->path . '/etc',
            $this->program($script),
        );
    }

    private function program(string $script): string
    {
        $file = $this->directory->path . '/apt';
        file_put_contents($file, "#!/bin/sh\n" . $script . "\n");
        chmod($file, 0o755);

        return $file;
    }

    private function write(string $file, string $text): void
    {
        file_put_contents($this->directory->path . '/' . $file, $text);
    }
}
