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
 * A process gets its segment when it starts, by php.ini: for another one the program runs again, under other settings.
 */
abstract class MemoryCommand extends AnsweringCommand
{
    protected function configure(): void
    {
        $this->addOption('name', null, InputOption::VALUE_REQUIRED, 'Segment [larder.name in php.ini]')
            ->addOption('directory', null, InputOption::VALUE_REQUIRED, 'Where its file lies [larder.directory in php.ini]')
            ->addOption('namespace', null, InputOption::VALUE_REQUIRED, 'Set of keys [larder.namespace in php.ini]');
        parent::configure();
    }

    final protected function answerTo(InputInterface $input, OutputInterface $errors): CommandAnswer|int
    {
        if (!class_exists(SharedMemory::class, false)) {
            $ini = php_ini_loaded_file();
            throw Refused::because('The PHP extension larder is not loaded: add extension=larder.so to ' . ($ini === false ? 'php.ini' : $ini));
        }
        $here = NamedSegment::ofThisProcess();
        $segment = new NamedSegment(self::given($input, 'directory') ?? $here->directory, self::given($input, 'name') ?? $here->name);
        self::check($segment);
        if ($segment->path() !== $here->path()) {
            return Rerun::with(['larder.name' => $segment->name, 'larder.directory' => $segment->directory, 'display_errors' => 'stderr']);
        }
        try {
            $memory = new SharedMemory(self::given($input, 'namespace'));
        } catch (ValueError $error) {
            throw Refused::because($error->getMessage());
        }
        $info = $memory->info();
        if ($info['name'] !== $segment->path()) {
            throw Refused::because('This process could not take part in the segment' . (\is_string($info['reason']) ? ': ' . $info['reason'] : ''));
        }

        return $this->answer($memory, $input, $errors);
    }

    /**
     * @throws Refused if what is asked is not possible
     * @throws LarderException
     */
    abstract protected function answer(SharedMemory $memory, InputInterface $input, OutputInterface $errors): CommandAnswer;

    /** A key as one line that shows every byte. */
    final protected static function shown(string $key): string
    {
        return preg_match('//u', $key) === 1 ? addcslashes($key, "\0..\37\177\\") : addcslashes($key, "\0..\37\177..\377\\");
    }

    /** @return array<string, string> a key for JSON, which has no bytes */
    final protected static function named(string $key): array
    {
        return ['key' => $key] + (preg_match('//u', $key) === 1 ? [] : ['key_base64' => base64_encode($key)]);
    }

    /** @throws Refused */
    private static function check(NamedSegment $segment): void
    {
        $known = $segment->neighbours();
        $there = $known === [] ? "In {$segment->directory} there is none" : "In {$segment->directory} there are: " . implode(', ', $known);
        if ($segment->name === '') {
            throw Refused::because("Only a segment that has a name can be seen from here: set larder.name for php-fpm, and name it by --name or in this program's php.ini. $there");
        }
        if (!$segment->isNameable()) {
            throw Refused::because(\sprintf('"%s" in "%s" can be no segment: its name is 1 to 100 letters, digits, dots, dashes or underscores', $segment->name, $segment->directory));
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
