<?php

declare(strict_types=1);

namespace Larder\Console\Code;

use Larder\Code\MemcachedPool;
use Larder\Code\PublicKey;
use Larder\Code\Releases;
use Larder\Console\AnsweringCommand;
use Larder\Console\Refused;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Input\InputOption;

/** @internal A command on the releases of an application, in the pool or on this host. */
abstract class CodeCommand extends AnsweringCommand
{
    private const OPTIONS = [
        'pool' => ['LARDER_CODE_POOL', 'memcached server, such as cache1:11211, or several with commas between'],
        'name' => ['LARDER_CODE_NAME', 'name of the application in the pool'],
        'root' => ['LARDER_CODE_ROOT', 'directory of the releases on this host'],
        'key' => ['LARDER_CODE_KEY', 'file of the public key that releases are signed by'],
        'secret' => ['LARDER_CODE_SECRET', 'file of the secret key to sign with'],
        'at-least' => ['LARDER_CODE_AT_LEAST', 'number of the oldest release that this host takes, as code:push tells'],
        'php' => ['LARDER_CODE_PHP', 'unix socket of php-fpm'],
    ];

    /** @param key-of<self::OPTIONS> ...$names */
    final protected function needs(string ...$names): static
    {
        foreach ($names as $name) {
            [$variable, $text] = self::OPTIONS[$name];
            $this->addOption($name, null, InputOption::VALUE_REQUIRED, ucfirst($text) . " [$variable]");
        }
        if (\in_array('pool', $names, true)) {
            $text = 'Seconds for a call to the pool';
            $this->addOption('timeout', null, InputOption::VALUE_REQUIRED, $text, '10');
        }

        return $this;
    }

    /** @param key-of<self::OPTIONS> $name */
    final protected static function given(InputInterface $input, string $name): ?string
    {
        $value = $input->getOption($name);
        $value = \is_string($value) ? $value : getenv(self::OPTIONS[$name][0]);

        return $value === false || $value === '' ? null : $value;
    }

    /**
     * @param key-of<self::OPTIONS> $name
     *
     * @throws Refused
     */
    final protected static function required(InputInterface $input, string $name): string
    {
        return self::given($input, $name) ?? throw Refused::because(\sprintf(
            'The %s is not known: give it by --%s or %s',
            self::OPTIONS[$name][1],
            $name,
            self::OPTIONS[$name][0],
        ));
    }

    final protected static function pool(InputInterface $input): MemcachedPool
    {
        $timeout = self::text($input, 'timeout');
        if (!is_numeric($timeout) || (float) $timeout <= 0.0 || (float) $timeout > 3600.0) {
            throw Refused::because("--timeout is a number of seconds, above 0 and at most 3600, not \"$timeout\"");
        }
        $servers = array_map(trim(...), explode(',', self::required($input, 'pool')));

        return new MemcachedPool($servers, (float) $timeout);
    }

    final protected static function releases(InputInterface $input): Releases
    {
        $root = self::required($input, 'root');

        return new Releases(str_starts_with($root, '/') ? $root : getcwd() . '/' . $root);
    }

    /**
     * @param string $option in hours
     *
     * @return int|null seconds; null: it is not given
     *
     * @throws Refused
     */
    final protected static function seconds(InputInterface $input, string $option): ?int
    {
        $hours = self::text($input, $option);

        return match (true) {
            $hours === '' => null,
            preg_match('/^[1-9]\d{0,5}$/D', $hours) === 1 => 3600 * (int) $hours,
            default => throw Refused::because("--$option is a whole number of hours, not \"$hours\""),
        };
    }

    final protected static function key(InputInterface $input): PublicKey
    {
        return PublicKey::read(self::required($input, 'key'));
    }
}
