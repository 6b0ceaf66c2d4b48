<?php

declare(strict_types=1);

namespace Larder\Console;

use Larder\Exception\LarderException;
use Larder\SharedMemory;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Input\InputOption;
use Symfony\Component\Console\Output\OutputInterface;
use ValueError;

/**
 * A command on a named segment of shared memory.
 *
 * A process gets its segment when it starts, by php.ini. For another segment the program runs again with other
 * settings.
 *
 * @internal
 */
abstract class MemoryCommand extends AnsweringCommand
{
    protected function configure(): void
    {
        $this->addOption('name', null, InputOption::VALUE_REQUIRED, 'Segment [larder.name in php.ini]')
            ->addOption('directory', null, InputOption::VALUE_REQUIRED, 'Its directory [larder.directory in php.ini]')
            ->addOption('namespace', null, InputOption::VALUE_REQUIRED, 'Namespace [larder.namespace in php.ini]');
        parent::configure();
    }

    final protected function answerTo(InputInterface $input, OutputInterface $errors): CommandAnswer|int
    {
        if (!class_exists(SharedMemory::class, false)) {
            $ini = php_ini_loaded_file();
            $ini = $ini === false ? 'php.ini' : $ini;
            throw Refused::because("The PHP extension larder is not loaded: add extension=larder.so to $ini");
        }
        $here = NamedSegment::ofThisProcess();
        $directory = self::given($input, 'directory') ?? $here->directory;
        $segment = new NamedSegment($directory, self::given($input, 'name') ?? $here->name);
        self::check($segment);
        if ($segment->path() !== $here->path()) {
            return Rerun::with([
                'larder.name' => $segment->name,
                'larder.directory' => $segment->directory,
                'display_errors' => 'stderr',
            ]);
        }
        try {
            $memory = new SharedMemory(self::given($input, 'namespace'));
        } catch (ValueError $error) {
            throw Refused::because($error->getMessage());
        }
        $info = $memory->info();
        if ($info['name'] !== $segment->path()) {
            $reason = \is_string($info['reason']) ? ': ' . $info['reason'] : '';
            throw Refused::because('This process could not attach the segment' . $reason);
        }

        return $this->answer($memory, $input, $errors);
    }

    /**
     * @throws Refused if what is asked is not possible
     * @throws LarderException
     */
    abstract protected function answer(
        SharedMemory $memory,
        InputInterface $input,
        OutputInterface $errors,
    ): CommandAnswer;

    /** Shows every byte of a key on one line. */
    final protected static function shown(string $key): string
    {
        return preg_match('//u', $key) === 1
            ? addcslashes($key, "\0..\37\177\\")
            : addcslashes($key, "\0..\37\177..\377\\");
    }

    /** @return array<string, string> the key for JSON, in base64 if it is no UTF-8, and what Larder's own keys mean */
    final protected static function named(string $key): array
    {
        $meaning = CachedEntry::meaning($key);

        return ['key' => $key]
            + (preg_match('//u', $key) === 1 ? [] : ['key_base64' => base64_encode($key)])
            + ($meaning === null ? [] : ['meaning' => self::shown($meaning)]);
    }

    /** @throws Refused */
    private static function check(NamedSegment $segment): void
    {
        $known = $segment->neighbours();
        $there = "In {$segment->directory} there " . ($known === [] ? 'is none' : 'are: ' . implode(', ', $known));
        if ($segment->name === '') {
            throw Refused::because(
                'This program sees only a segment that has a name: set larder.name for php-fpm, and name it by --name'
                . " or in this program's php.ini. $there",
            );
        }
        if (!$segment->isNameable()) {
            $rule = 'its name is 1 to 100 letters, digits, dots, dashes or underscores';
            throw Refused::because("\"{$segment->name}\" in \"{$segment->directory}\" can be no segment: $rule");
        }
        if (!$segment->isThere()) {
            throw Refused::because("There is no segment \"{$segment->name}\". $there");
        }
    }

    private static function given(InputInterface $input, string $name): ?string
    {
        $value = $input->getOption($name);

        return \is_string($value) ? $value : null;
    }
}
