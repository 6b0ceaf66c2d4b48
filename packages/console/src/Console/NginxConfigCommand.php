<?php

declare(strict_types=1);

namespace Larder\Console;

use Larder\Page\NginxConfig;
use Larder\Page\NginxTarget;
use Larder\Page\Site;
use Symfony\Component\Console\Attribute\AsCommand;
use Symfony\Component\Console\Input\InputInterface;
use Symfony\Component\Console\Input\InputOption;

/** @internal */
#[AsCommand('nginx:config', 'Writes the site\'s nginx configuration')]
final class NginxConfigCommand extends SiteCommand
{
    protected function configure(): void
    {
        parent::configure();
        $value = InputOption::VALUE_REQUIRED;
        $address = 'Address: 80, 127.0.0.1:8080, [::1]:8080 or unix:/path';
        $front = 'Front controller, the only PHP file that nginx asks for [public/index.php beside the site file]';
        $public = 'Directory of static files [the front controller\'s]';
        $part = '"http" or "server": only what goes into the http context or into a server block of your own';
        $none = 'Leave out the server that hangs up on unknown hosts: another site here has one';
        $this->addOption('part', null, $value, $part)
            ->addOption('listen', null, $value | InputOption::VALUE_IS_ARRAY, $address, ['80'])
            ->addOption('php', null, $value, 'Unix socket of php-fpm', '/run/php/php-fpm.sock')
            ->addOption('front', null, $value, $front)
            ->addOption('public', null, $value, $public)
            ->addOption('https', null, InputOption::VALUE_NONE, 'Tell PHP that clients come by TLS')
            ->addOption('no-default-server', null, InputOption::VALUE_NONE, $none)
            ->addOption(
                'whole',
                null,
                $value,
                'Write a whole nginx.conf, with pid, log and temporary files in this directory',
            )
            ->addOption('user', null, $value, 'User of the workers of a whole nginx.conf that root starts')
            ->setHelp(
                'Prints blocks for the http context, to be included from nginx.conf. With --part it prints what a '
                . "server block of your own includes, with its TLS, HTTP/2, names and logs.\n\n"
                . 'Example: <info>larder nginx:config --php=/run/php/php8.2-fpm.sock > '
                . "/etc/nginx/conf.d/site.conf</info>\n\n"
                . 'Example: <info>larder nginx:config --part=http > /etc/nginx/conf.d/larder-site.conf</info>, '
                . '<info>larder nginx:config --part=server > /etc/nginx/larder/site.conf</info> and '
                . '<info>include larder/site.conf;</info> in the server block',
            );
    }

    protected function answer(Site $site, InputInterface $input): CommandAnswer
    {
        $beside = \dirname((string) realpath(self::text($input, 'site'))) . '/public/index.php';
        $front = self::text($input, 'front') !== '' ? self::text($input, 'front') : $beside;
        $public = self::text($input, 'public') !== '' ? self::text($input, 'public') : \dirname($front);
        $whole = self::text($input, 'whole');
        $listen = $input->getOption('listen');
        $addresses = array_values(array_filter(\is_array($listen) ? $listen : [], is_string(...)));
        $part = self::text($input, 'part');
        if (!\in_array($part, ['', 'http', 'server'], true) || ($part !== '' && $whole !== '')) {
            throw Refused::because('--part is http or server, and not beside --whole');
        }
        if (!is_file($front) || !is_dir($public) || $addresses === []) {
            $missing = "There is no front controller \"$front\" or no directory \"$public\"";
            throw Refused::because("$missing. Name them by --front and --public");
        }
        $target = new NginxTarget(
            $part === '' ? $addresses : [],
            self::text($input, 'php'),
            $front,
            $public,
            $input->getOption('https') === true,
            $input->getOption('no-default-server') !== true,
            $whole !== '' ? $whole : '/run/larder-nginx',
            self::text($input, 'user') !== '' ? self::text($input, 'user') : null,
            $whole !== '' ? $whole . '/nginx.log' : '/var/log/nginx/error.log',
        );
        $config = new NginxConfig($site, $target);
        $text = match (true) {
            $whole !== '' => $config->whole(),
            $part === 'http' => $config->http(),
            $part === 'server' => $config->locations(),
            default => $config->http() . "\n" . $config->server(),
        };

        return new CommandAnswer(['config' => $text], explode("\n", rtrim($text, "\n")));
    }
}
